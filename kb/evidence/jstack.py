"""jstack: Java's threads with the monitors that they hold and await."""

import re

from kb.evidence import Evidence, Page
from kb.evidence._stack import MAX_FRAMES, MAX_THREADS, call, make_stack, number
from kb.model.snapshot import Call, Fact, Thread

_THREAD = re.compile(r'"(.*)" (?:#\d+ )?.*?\b(?:nid=(0x[0-9a-f]+|\d+)|tid=0x[0-9a-f]+)')
_FRAME = re.compile(r"\s+at ([\w.$<>/@-]+)\((?:[\w.@-]+/)?([^():]*)(?::(\d+))?\)")
_LOCK = re.compile(r"\s+- (waiting to lock|locked|parking to wait for|waiting on)\s+<(0x[0-9a-f]+)>")
_STATE = re.compile(r"\s+java\.lang\.Thread\.State: (\w+)")


def parse(page: Page) -> list[Fact]:
    """The whole dump."""
    first = page.take()
    threads: list[tuple[int | None, Thread]] = []
    while (row := page.row) and len(threads) < MAX_THREADS:
        if row.text.startswith(("JNI global refs", "Found ", "Java stack information", "Heap")):
            break
        page.take()
        if head := _THREAD.match(row.text):
            threads.append((number(head[2]), _thread(page, head[1], row.number - first.number)))
    return [make_stack("jstack", page.file, first.number, threads)]


def _thread(page: Page, name: str, at: int) -> Thread:
    frames: list[Call] = []
    locks: list[tuple[str, str]] = []
    state = None
    while (row := page.row) and row.text.strip():
        if found := _FRAME.match(row.text):
            frames.append(call(found[1], found[2] or "?", found[3], False))
        elif lock := _LOCK.match(row.text):
            kind = {"locked": "holds", "waiting to lock": "waits", "parking to wait for": "waits"}.get(lock[1])
            locks += [(kind, lock[2])] if kind else []
        elif word := _STATE.match(row.text):
            state = "active" if word[1] == "RUNNABLE" else "idle"
        page.take()
    return Thread(name, state, None, tuple(frames[:MAX_FRAMES]), at, locks=tuple(locks))


EVIDENCE = Evidence(
    name="jstack",
    starts=r"Full thread dump ",
    parse=parse,
    samples=(
        "Full thread dump OpenJDK 64-Bit Server VM (17.0.15 mixed mode):\n\n"
        '"t1" #14 prio=5 tid=0x00007f nid=0x6145 waiting for monitor entry\n'
        "   java.lang.Thread.State: BLOCKED (on object monitor)\n\tat D.lambda$main$0(D.java:2)\n"
        "\t- waiting to lock <0x000000069ec0fd70> (a java.lang.Object)\n\t- locked <0x000000069ec0fd60> (a java.lang.Object)\n",
    ),
    order=10,
)
