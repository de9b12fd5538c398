"""Of all the connections that `ss` lists, those of the captured processes and their other ends: the rest is nobody's business."""

import re
from collections.abc import Iterator

_ENDS = re.compile(r"\s(\S+:\S+)\s+(\S+:\S+)(?:\s|$)")
_PID = re.compile(r"pid=(\d+)")


def of_processes(text: str, pids: set[int]) -> str:
    """The lines of `ss` that belong to one of the processes, with the heading; empty where there are none."""
    heading, _, rest = text.partition("\n")
    blocks = list(_blocks(rest))
    ours = [_ends(block) for block in blocks if _owners(block) & pids]
    peers = {(peer, local) for local, peer in ours if not peer.endswith(":*")}
    kept = [block for block in blocks if _owners(block) & pids or _ends(block) in peers]
    return "\n".join([heading, *kept]) + "\n" if kept else ""


def _blocks(text: str) -> Iterator[str]:
    """Each socket with the indented line that may follow it."""
    block = ""
    for line in text.splitlines():
        if line[:1] in ("\t", " ") and block:
            block += f"\n{line}"
            continue
        if block:
            yield block
        block = line
    if block:
        yield block


def _owners(block: str) -> set[int]:
    return {int(pid) for pid in _PID.findall(block)}


def _ends(block: str) -> tuple[str, str]:
    found = _ENDS.search(block)
    return (_plain(found[1]), _plain(found[2])) if found else ("", "")


def _plain(address: str) -> str:
    """An address without interface and IPv4 mapping, so that both ends of a connection read alike."""
    return re.sub(r"%[\w-]+", "", re.sub(r"^\[::ffff:([\d.]+)\]", r"\1", address))
