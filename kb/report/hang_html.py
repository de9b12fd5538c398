"""A hang verdict as one page for a browser: no scripts, no outside references."""

from collections.abc import Iterable
from html import escape

from kb.model.snapshot import HangVerdict, Proof
from kb.report import Style
from kb.report._hang_ranges import ranges
from kb.report._visible import one_line
from kb.report.hang_svg import draw

_STYLE = ("body{font:15px/1.5 sans-serif;max-width:1140px;margin:2rem auto;padding:0 1rem;color:#1b1f24;background:#fff}"
          "h1{font-size:1.4rem}h2{font-size:1.05rem;margin-top:1.6rem}code,pre{background:#f2f4f6;padding:.1rem .3rem;white-space:pre-wrap;"
          "overflow-wrap:anywhere}table{border-collapse:collapse}td,th{border:1px solid #c8d0d8;padding:.3rem .6rem;vertical-align:top;"
          "text-align:left}svg{max-width:100%;height:auto}")  # fmt: skip
MAX_GROUPS = 100


class _HangHtml:
    name = "html"

    def render(self, verdict: HangVerdict, style: Style) -> str:
        """One HTML document."""
        return "\n".join([
            "<!doctype html>", '<html lang="en"><head><meta charset="utf-8">', f"<title>{_text(verdict.name)}</title>",
            f"<style>{_STYLE}</style></head><body>",
            f"<h1>{_text(verdict.name)} <small>({_text(verdict.confidence)} confidence)</small></h1>",
            f"<p>{_text(verdict.summary)}</p>", _facts(verdict), draw(verdict) if verdict.tree else "",
            _list("Why", map(_proof, verdict.evidence)), _list("Against it", map(_proof, verdict.against)),
            _list("What would refute it", map(_text, verdict.refuted_by)),
            _list("Next", (f"<code>{_text(command)}</code>" for command in verdict.next)), _groups(verdict), _records(verdict),
            "</body></html>",
        ]) + "\n"  # fmt: skip


HANG_RENDERER = _HangHtml()


def _facts(verdict: HangVerdict) -> str:
    rows = [("ranks", ranges(verdict.ranks)), ("look at", ranges(verdict.divergent_ranks)), ("frame", verdict.divergent_frame or ""),
            ("missing", ranges(verdict.missing_ranks))]  # fmt: skip
    return "<table>" + "".join(f"<tr><th>{name}</th><td>{_text(value)}</td></tr>" for name, value in rows if value) + "</table>"


def _list(title: str, items: Iterable[str]) -> str:
    shown = "".join(f"<li>{item}</li>" for item in items)
    return f"<h2>{title}</h2><ul>{shown}</ul>" if shown else ""


def _proof(proof: Proof) -> str:
    return f"<code>{_text(proof.file)}:{proof.line}</code> {_text(proof.detail)}"


def _groups(verdict: HangVerdict) -> str:
    rows = "".join(
        f"<tr><td>{_text(ranges(group.ranks))}</td><td>{_text(group.waits_on)}</td><td><pre>{_lines(group.frames)}</pre></td></tr>"
        for group in verdict.groups[:MAX_GROUPS]
    )
    return (
        f"<h2>Ranks by call path</h2><table><tr><th>ranks</th><th>waits on</th><th>frames, innermost first</th></tr>{rows}</table>"
        if rows
        else ""
    )


def _records(verdict: HangVerdict) -> str:
    parts = []
    for record in verdict.known:
        solutions = record.get("solutions")
        items = "".join(f"<li>{_text(str(solution))}</li>" for solution in (solutions if isinstance(solutions, list) else []))
        parts.append(
            f"<h3>{_text(str(record.get('title') or ''))}</h3><p>{_text(str(record.get('documentation') or ''))}</p><ol>{items}</ol>"
        )
    return f"<h2>Known</h2>{''.join(parts)}" if parts else ""


def _lines(frames: Iterable[str]) -> str:
    return "\n".join(_text(frame) for frame in frames)


def _text(text: str) -> str:
    return escape(one_line(text, 3000), quote=True)
