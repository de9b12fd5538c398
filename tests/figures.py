"""The figures of the README: `python -m tests.figures --help`. CPU time of whole commands, never an assertion."""

import argparse
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

KB = Path(sys.executable).with_name("kb")
EXAMPLE = Path(__file__).parents[1] / "examples" / "peer_kill.log"


def cpu(*argv: object, times: int = 7) -> tuple[float, float]:
    """(CPU seconds, peak resident MB) of a command, the best of several runs."""
    best = float("inf")
    for _ in range(times):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([str(word) for word in argv], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best, after.ru_maxrss / 1024


def start(log: Path) -> str:
    """CPU of one match over that of an empty interpreter."""
    bare, _ = cpu(sys.executable, "-c", "pass")
    cpu(KB, "match", log, "-f", "json", times=1)  # builds what is remembered
    whole, _ = cpu(KB, "match", log, "-f", "json")
    return f"{log.name}: {1000 * (whole - bare):.0f} ms CPU over an empty interpreter ({1000 * bare:.0f} ms)"


def tracebacks(lines: int) -> str:
    """CPU and memory of a log in which eight ranks print tracebacks line by line in turns."""
    shape = [line.removeprefix("[rank3]: ") for line in EXAMPLE.read_text().splitlines()[8:17]]
    chance, place = random.Random(1), [0] * 8
    with tempfile.NamedTemporaryFile("w", suffix=".log") as log:
        for _ in range(lines):
            rank = chance.randrange(8)
            log.write(f"[rank{rank}]: {shape[place[rank]]}\n")
            place[rank] = (place[rank] + 1) % len(shape)
        log.flush()
        seconds, memory = cpu(KB, "match", log.name, "-q", times=1)
    return f"{lines} lines of interleaved tracebacks: {seconds:.1f} s CPU, {memory:.0f} MB"


def peel() -> str:
    """Lines that the peeler takes in a CPU second, ordinary ones and ones with a prefix."""
    from kb.read.peel import Peeler
    from kb.read.prefix import specific_first
    from kb.read.scan import RawLine
    from kb.registry import discover

    peeler, told = Peeler(specific_first(list(discover("kb.formats", "FORMAT")))), []
    for name, text in (("ordinary", "step {} loss 0.31 done"), ("prefixed", "2026-01-31 10:00:00,123 - train - INFO - step {} done")):
        lines = [RawLine(number, text.format(number).encode()) for number in range(200_000)]
        begin = time.process_time()
        sum(1 for _ in peeler.peel(lines))
        told.append(f"{name}: {len(lines) / (time.process_time() - begin):,.0f} lines a CPU second")
    return "; ".join(told)


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("log", nargs="?", type=Path, help="CPU time of one match on this log")
    parser.add_argument("--tracebacks", type=int, metavar="LINES")
    parser.add_argument("--peel", action="store_true")
    args = parser.parse_args()
    if args.log:
        print(start(args.log))
    if args.tracebacks:
        print(tracebacks(args.tracebacks))
    if args.peel:
        print(peel())


if __name__ == "__main__":
    main()
