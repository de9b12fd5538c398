"""Every renderer draws every sample; none of them lets a log or a record steer, hide, command or break anything."""

import html
import json
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import compare
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from kb.model.event import Event, Frame
from kb.model.report import Diagnosis
from kb.registry import discover, load
from kb.report import Style
from kb.report._columns import clip, columns, fold
from kb.report._escape import inline
from kb.report._visible import encodable, visible
from kb.report._words import rank_words
from kb.report.github import annotation_text, escape_data, outputs, render_outputs, source_place
from kb.report.markdown import cut
from kb.settings import ANNOTATION_CHARS, ANNOTATIONS, SUMMARY_BYTES
from tests.report_samples import EXCHANGE, HOSTILE, HOSTILE_TEXT, MANY, PEER_KILL, PEER_STALL, SAMPLES, TWINS, UNKNOWN

GOLDEN = Path(__file__).parent / "golden" / "report"
RENDERERS = {renderer.name: renderer for renderer in discover("kb.report", "RENDERER")}
STYLES: list[dict[str, Any]] = [{}, {"color": True}, {"width": 1}, {"width": 200, "verbose": True}]
NONE = type(None)
SHAPE: dict[str, dict[str, Any]] = {
    "": {"schema_version": int, "tool": dict, "input": dict, "knowledge": dict, "verdict": str, "roots": list,
         "events": list, "fired": list, "hang": NONE, "skipped": dict, "hint": (dict, NONE), "records": dict},
    "tool": {"name": str, "version": str, "confidence": str},
    "input": {"path": str, "bytes": int, "lines": int, "truncated": bool},
    "knowledge": {"db": str, "records": int, "generation": str},
    "hint": {"detail": str, "ranks": list},
    "events": {"id": int, "role": str, "kind": str, "language": (str, NONE), "class": (str, NONE), "message": str,
               "file": (str, NONE), "line": int, "span": list, "count": int, "first": int, "last": int, "ranks": list,
               "streams": list, "lines": list, "frames": list, "cause_of": list, "caused_by": list, "matches": list,
               "reason": str, "exit_status": (int, NONE), "complete": bool},
    "frames": {"file": str, "line": (int, NONE), "function": (str, NONE), "code": (str, NONE)},
    "matches": {"record": str, "key": str, "tier": str, "confidence": float, "captures": dict, "evidence": list},
    "evidence": {"kind": str, "detail": str, "line": int},
    "fired": {"record": str, "key": str, "lines": list, "tier": str},
}  # fmt: skip
ALSO = {"input": ["files", "unread"], "frames": ["runtime"], "fired": ["file"]}  # only where they say something


def render(name: str, diagnoses: tuple[Diagnosis, ...], **style: Any) -> str:
    text: str = RENDERERS[name].render(diagnoses, Style(**style))
    return text


def documents(text: str) -> list[Any]:
    """The JSON documents that stand one after the other."""
    found, at, decoder = [], 0, json.JSONDecoder()
    while at < len(text):
        value, at = decoder.raw_decode(text, at)
        found.append(value)
        at += 1
    return found


def commands(text: str) -> list[tuple[str, dict[str, str], str]]:
    """What GitHub's runner obeys: (name, properties, message), read as its source does (ActionCommand.cs)."""
    found = []
    for line in re.split(r"\r\n|\r|\n", text):
        if new := re.match(r"\s*::([^\s:]\S*?)(?: (.*?))?::(.*)", line):
            pairs = (pair.split("=", 1) for pair in (new[2] or "").split(",") if pair)
            properties = {name: unescape(value, ("%0D", "%0A", "%3A", "%2C", "%25")) for name, value in pairs}
            found.append((new[1], properties, unescape(new[3])))
        elif old := re.search(r"##(?:vso)?\[(.*?)\]", line):
            found.append((old[1], {}, line))
    return found


def unescape(text: str, codes: tuple[str, ...] = ("%0D", "%0A", "%25")) -> str:
    """In the runner's order."""
    for code in codes:
        text = text.replace(code, chr(int(code[1:], 16)))
    return text


def assert_harmless(name: str, text: str) -> None:
    """No control characters but our own colours, nothing that hides text, no command of a runner but our own."""
    text = re.sub("\x1b\\[[0-9;]*m", "", text)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", text)
    assert text == "" or text.endswith("\n")
    text.encode()
    ours = ("::error title=", "::warning title=") if name == "github" else ()
    others = [line for line in text.split("\n") if not line.startswith(ours)]
    assert commands("\n".join(others)) == []
    assert not any(line.lstrip().startswith("::") for line in others)


@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize("name", RENDERERS)
def test_golden(name: str, sample: str, request: pytest.FixtureRequest) -> None:
    text = render(name, SAMPLES[sample])
    for document in documents(text) if name.startswith("json") else ():
        text = text.replace(json.dumps(document["tool"]["version"]), '"VERSION"')  # a release changes no golden
    compare(GOLDEN / f"{sample}.{name}", text, request.config.getoption("--update"))


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize("name", RENDERERS)
def test_every_output_is_harmless_and_always_the_same(name: str, sample: str, style: dict[str, Any]) -> None:
    text = render(name, SAMPLES[sample], **style)
    assert_harmless(name, text)
    assert text == render(name, SAMPLES[sample], **style)


@pytest.mark.parametrize("name", RENDERERS)
@given(text=st.text(st.characters(), max_size=60), rank=st.text(max_size=5), number=st.integers(-40, 300))
def test_any_text_can_be_drawn(name: str, text: str, rank: str, number: int) -> None:
    """Whatever a log, a record or a path holds, lone surrogates included: no renderer raises."""
    finding = HOSTILE.findings[0]
    match = replace(finding.matches[0], key=text, captures=((text, text),))
    frames = (Frame(text, number, text),)
    event = replace(finding.event, message=text, cls=text, file=text, exit_status=number, frames=frames)
    finding = replace(finding, event=event, ranks=(rank, text), streams=(text,), matches=(match,), reason=text)
    record = {
        "title": text,
        "documentation": text,
        "solutions": [text],
        "tryCatchPattern": text,
        "githubUrl": text,
        "kb": text,
    }
    given = replace(HOSTILE.input, path=text)
    diagnosis = replace(HOSTILE, findings=(finding,), records={match.record: record}, input=given)
    for style in STYLES:
        assert_harmless(name, render(name, (diagnosis,), **style))
    assert set(outputs([diagnosis])) == {"verdict", "root", "known"}


def test_a_renderer_is_found_by_its_name() -> None:
    assert set(RENDERERS) >= {"text", "json", "jsonl", "markdown", "github"}
    assert all(load("kb.report", "RENDERER", name) is renderer for name, renderer in RENDERERS.items())


# text


def test_text_has_colour_only_on_demand_and_says_the_same_without() -> None:
    for diagnoses in SAMPLES.values():
        plain, colored = render("text", diagnoses), render("text", diagnoses, color=True)
        assert "\x1b" not in plain
        assert re.sub("\x1b\\[[0-9;]*m", "", colored) == plain


@pytest.mark.parametrize("width", [40, 60, 80, 120])
@pytest.mark.parametrize("sample", sorted(set(SAMPLES) - {"hostile"}))
def test_text_keeps_to_its_columns(sample: str, width: int) -> None:
    """Only what must be copied whole, a link, a path or code, is longer."""
    lines = render("text", SAMPLES[sample], width=width).split("\n")
    too_long = [line for line in lines if columns(line) > width]
    code = {f"    {line}" for line in EXCHANGE["tryCatchPattern"].split("\n")}
    assert [line for line in too_long if line not in code and " " in re.sub(r"^ +(- |\w+ {3,})?", "", line)] == []


def test_log_text_stands_behind_a_gutter_and_is_cut_with_a_count() -> None:
    text, verbose = render("text", (HOSTILE,)), render("text", (HOSTILE,), verbose=True)
    assert "\n  | ::stop-commands::t\n" in text
    assert re.search(r"\n  \[\d+ more characters of \d+ lines in all, -v shows them\]\n", text)
    assert "-v shows" not in verbose and verbose.count("long") > HOSTILE_TEXT.count("long")


def test_text_leads_with_the_verdict_and_where_to_look() -> None:
    assert render("text", (PEER_KILL,)).startswith(
        "ROOT CAUSE: peer_kill.log:36\n\nLook at rank 2: it is the only rank"
    )
    symptom = render("text", (PEER_STALL,))
    assert symptom.startswith("SYMPTOM ONLY: peer_stall.log shows only consequences, not the cause\n\nLook at rank 2:")
    assert "\n  | RuntimeError: timed out" in symptom, "the symptom that a record knows, not the first one"


def test_text_tells_what_is_known_and_how_well() -> None:
    text = render("text", (PEER_STALL,))
    for part in ("very likely\n  (0.99), by its message", "(general knowledge, unconfirmed)", "ranks 0-1, 3 (3 of 4)",
                 "in exchange_posix_fds, sglang/srt/utils/cuda_vmm_utils.py:851", "from main, /srv/job/launch.py:30",
                 '\n        if "timed out" in str(e):\n', "    - line 15, frame: "):  # fmt: skip
        assert part in text
    assert "No known record\n" in render("text", (UNKNOWN,))
    twins = render("text", (TWINS,))
    assert "Fits equally well: CUDA out of memory. Tried" in twins
    assert "Never shown." not in twins and "not/as/good" not in twins


def test_lists_are_capped_unless_verbose() -> None:
    text, verbose = render("text", (MANY,)), render("text", (MANY,), verbose=True)
    assert "and 7 more, -v lists them" in text and "and 6 more, -v lists them" in text
    assert "more, -v" not in verbose and "line 1039" in verbose


@given(st.text(), st.integers(5, 90))
def test_folding_and_clipping_lose_nothing_unsaid(text: str, width: int) -> None:
    lines = fold(text, width)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(columns(line) <= width for line in lines)
    assert "".join("".join(fold(text, width, whole_words=True)).split()) == "".join(text.split())
    assert clip(text, width) == text or (columns(clip(text, width)) <= width and clip(text, width).endswith("..."))


@pytest.mark.parametrize(("ranks", "everyone", "words"), [
    ("", "0", ""), ("2", "02", "rank 2"), ("310", "", "ranks 0-1, 3"), (("10", "9", "2"), "", "ranks 2, 9-10"),
    ("01", "01", "ranks 0-1"), ("02", "0123", "ranks 0, 2 (2 of 4)"), ("ba1", "", "ranks 1, a, b"),
    (("00", "0"), "", "ranks 0, 00"),
    (map(str, range(0, 32, 2)), "", "ranks 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, ... 4 more"),
])  # fmt: skip
def test_ranks_in_words(ranks: Iterable[str], everyone: str, words: str) -> None:
    assert rank_words(ranks, everyone) == words


# json


def assert_shape(where: str, value: dict[str, Any]) -> None:
    """Every key of the contract with its type, in its order, and no other."""
    assert [key for key in value if key not in ALSO.get(where, ())] == list(SHAPE[where])
    for key, kind in SHAPE[where].items():
        assert isinstance(value[key], kind), (where, key, value[key])
        for part in value[key] if isinstance(value[key], list) else [value[key]]:
            if key in SHAPE and part is not None:
                assert_shape(key, part)


@pytest.mark.parametrize("sample", SAMPLES)
def test_json_keeps_the_contract(sample: str) -> None:
    for document, diagnosis in zip(documents(render("json", SAMPLES[sample])), SAMPLES[sample], strict=True):
        assert_shape("", document)
        roles = {event["id"]: event["role"] for event in document["events"]}
        assert document["schema_version"] == 1 and document["verdict"] == diagnosis.verdict
        assert all(roles[root] == "root" for root in document["roots"])
        assert all(re.fullmatch(r"\d\.\d{1,3}", str(m["confidence"])) for e in document["events"] for m in e["matches"])
        assert set(document["records"]) == set(diagnosis.records)


def test_jsonl_is_the_same_on_one_line_each() -> None:
    for diagnoses in SAMPLES.values():
        lines = render("jsonl", diagnoses).splitlines()
        assert [json.loads(line) for line in lines] == documents(render("json", diagnoses))


def test_json_gives_the_text_back_as_it_was() -> None:
    """Only a lone surrogate, which JSON must not hold, becomes the text of its byte."""
    (document,) = documents(render("json", (HOSTILE,)))
    assert document["events"][0]["message"] == encodable(HOSTILE_TEXT)
    assert r"bytes \xff\x80 and \ud800, " in document["events"][0]["message"]


# markdown


def tags(text: str) -> set[str]:
    return set(re.findall(r"<(/?[a-zA-Z!][^\s>]*)", text))


@pytest.mark.parametrize("sample", SAMPLES)
def test_markdown_is_our_markup_alone(sample: str) -> None:
    text = render("markdown", SAMPLES[sample], verbose=True)
    ours = {"details", "summary", "pre", "code"}
    assert tags(text) <= ours | {f"/{tag}" for tag in ours} | {"wbr"}
    drawn = MarkdownIt("commonmark").render(text)
    assert "<script" not in text and not tags(drawn) & {"a", "img", "script", "table"}
    assert all(drawn.count(f"<{tag}>") + drawn.count(f"<{tag} lang") == drawn.count(f"</{tag}>") for tag in ours)


@given(st.text(st.sampled_from("ab1 \t`*_[]()<>&#@:/.!|~$-+=\\\"'\n") | st.characters(exclude_categories=["Cs", "Cc"])))
def test_prose_is_shown_as_it_is(text: str) -> None:
    """A Markdown parser makes nothing of it but the text itself, backticks and blanks aside."""
    line = inline(text)
    drawn = MarkdownIt("commonmark").render(f"{line}\n")
    assert not re.sub(r"</?(?:p|code|wbr)>", "", drawn).count("<")
    shown = html.unescape(re.sub(r"<.*?>", "", drawn))
    assert re.sub(r"[\s`]", "", shown) == re.sub(r"[\s`]", "", text)
    outside = re.sub(r"<code>.*?</code>|(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)|&#96;", " ", line)
    assert not re.search(r"@\w|#\d|https?://|www\.|:\w+:|\$", outside)


@pytest.mark.parametrize("limit", [*range(400, 6000, 37)])
def test_a_cut_summary_is_whole(limit: int) -> None:
    for diagnoses in (SAMPLES["several"], SAMPLES["many"]):
        whole = RENDERERS["markdown"].render(diagnoses, Style())
        text = cut(whole, limit)
        assert len(text.encode()) <= limit
        assert text == whole or "**Cut here:**" in text
        for tag in ("details", "pre"):
            assert len(re.findall(f"<{tag}[> ]", text)) == text.count(f"</{tag}>")


def test_a_summary_stays_below_the_limit_of_github() -> None:
    text = render("markdown", (PEER_KILL,) * 1000)
    assert SUMMARY_BYTES * 0.9 < len(text.encode()) <= SUMMARY_BYTES
    assert text.splitlines()[-1].startswith("**Cut here:** ")


# github


def test_annotations_say_what_the_program_said() -> None:
    for diagnoses in SAMPLES.values():
        found = commands("\n".join(re.findall("(?m)^::.*$", render("github", diagnoses))))
        assert len(found) <= ANNOTATIONS
        assert {level for level, _, _ in found} <= {"error", "warning"}
        assert all(len(message.encode("utf-16-le")) <= 2 * ANNOTATION_CHARS for _, _, message in found)
    ((_, properties, message), _) = commands("\n".join(render("github", (HOSTILE,)).split("\n")[:2]))
    assert message.startswith(visible(f"::error::<script>`\x1b[1mE: {HOSTILE_TEXT[:400]}"))
    assert message == f"{annotation_text(HOSTILE, HOSTILE.findings[0])[: len(message) - 3]}..."
    assert properties["title"].startswith("Root cause: ::error::x ##[error]y") and set(properties) == {"title"}


def test_roots_are_annotated_first_and_the_rest_is_counted() -> None:
    lines = render("github", (PEER_STALL, MANY)).splitlines()
    levels = [level for level, _, _ in commands("\n".join(lines[:ANNOTATIONS]))]
    assert levels == ["error"] * 8 + ["warning"] * 2
    assert lines[-1] == "16 more errors without an annotation: see the step summary"


@given(st.text(st.sampled_from("%\r\n:,0A25D😀x") | st.characters(exclude_categories=["Cs"])), st.integers(3, 40))
def test_escaping_is_undone_by_the_runner_and_cut_between_characters(text: str, limit: int) -> None:
    assert unescape(escape_data(text, 10**6)) == text
    shown = escape_data(text, limit)
    assert len(shown.encode("utf-16-le")) <= 2 * limit
    assert shown == escape_data(text, 10**6) or escape_data(text, 10**6).startswith(shown.removesuffix("..."))
    assert not re.search(r"%(?!25|0D|0A)", shown)


@pytest.mark.parametrize(("file", "place"), [
    ("src/a.py", {"file": "src/a.py", "line": "3"}), ("./src/a.py", {"file": "src/a.py", "line": "3"}),
    ("src\\a.py", {"file": "src/a.py", "line": "3"}), ("/srv/a.py", {}), ("../a.py", {}), ("src/../../a.py", {}),
    ("C:\\a.py", {}), ("file://a.py", {}), ("", {}), (".", {}), ("<string>", {}), ("a\x1b.py", {}),
    ("lib/site-packages/x/a.py", {}),
])  # fmt: skip
def test_only_files_of_the_checkout_are_annotated(file: str, place: dict[str, str]) -> None:
    assert source_place(Event("exception", "", 1, (1, 1), frames=(Frame(file, 3),))) == place
    assert source_place(Event("exception", "", 1, (1, 1))) == {}


def test_outputs_of_the_step() -> None:
    assert outputs(SAMPLES["several"]) == {
        "verdict": "root-cause",
        "root": "launch.sh: line 2: 21478 Killed RANK=$r LOCAL_RANK=$r python launch.py",
        "known": "true",
    }
    assert outputs(SAMPLES["peer_stall"]) == {"verdict": "symptom-only", "root": "", "known": "true"}
    assert outputs(()) == outputs(SAMPLES["clean"]) == {"verdict": "clean", "root": "", "known": "false"}


@given(
    st.dictionaries(st.sampled_from(["verdict", "root", "known"]), st.text("ab_\n<=", max_size=9)),
    st.text("ab", min_size=1, max_size=2),
)
def test_no_value_ends_its_heredoc(values: dict[str, str], delimiter: str) -> None:
    lines, found = render_outputs(values, delimiter).split("\n"), {}
    while lines != [""]:
        name, word = lines.pop(0).split("<<", 1)
        end = lines.index(word)
        found[name] = "\n".join(lines[:end])
        lines = lines[end + 1 :]
    assert found == values
