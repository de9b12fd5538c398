"""Programs that hang in known ways, to be captured alive: `python capture_programs.py NAME`.

Each prints the ids of its processes on one line as soon as it stands, and lets everybody look at it, whatever yama says.
"""

import contextlib
import ctypes
import multiprocessing
import os
import subprocess
import sys
import threading
import time


def barrier() -> None:
    """Three processes of one job; rank 1 sleeps, the others wait for it in a barrier."""
    fork = multiprocessing.get_context("fork")
    meeting, arrived = fork.Barrier(3), fork.Semaphore(0)
    workers = [fork.Process(target=_meet, args=(rank, meeting, arrived)) for rank in range(3)]
    for worker in workers:
        worker.start()
    for _ in workers:
        arrived.acquire()
    _stands(*(worker.pid or 0 for worker in workers))
    for worker in workers:
        worker.join()


def _meet(rank: int, meeting: "multiprocessing.synchronize.Barrier", arrived: "multiprocessing.synchronize.Semaphore") -> None:
    _admit_everybody()
    arrived.release()
    if rank == 1:
        _load_shard()
    meeting.wait()


def _load_shard() -> None:
    time.sleep(600)


def locks() -> None:
    """Two threads take two locks in opposite order."""
    first, second, meet = threading.Lock(), threading.Lock(), threading.Barrier(3)
    for name, pair in (("transfer-1", (first, second)), ("transfer-2", (second, first))):
        threading.Thread(target=_transfer, args=(*pair, meet), name=name).start()
    meet.wait()
    _stands(os.getpid())


def _transfer(mine: threading.Lock, other: threading.Lock, meet: threading.Barrier) -> None:
    with mine:
        meet.wait()
        with other:
            pass


def ranks() -> None:
    """A launcher, two ranks by RANK, and a data loader of the second one, which inherits its environment."""
    again = [sys.executable, __file__, "rank", *sys.argv[2:]]
    workers = [subprocess.Popen(again, env=os.environ | {"RANK": str(rank)}, stdout=subprocess.PIPE, text=True) for rank in range(2)]
    told = [worker.stdout.readline().split() for worker in workers if worker.stdout]
    _stands(os.getpid(), *(worker.pid for worker in workers), *map(int, told[1]))
    for worker in workers:
        worker.wait()


def rank() -> None:
    """One rank; any but the first has a data loader."""
    if os.environ["RANK"] == "0":
        _stands()
    else:
        subprocess.Popen([sys.executable, __file__, "sleeper", *sys.argv[2:]])
    _load_shard()


def sleeper() -> None:
    """A process that sleeps in a function of its own."""
    _stands(os.getpid())
    _load_shard()


def vfork() -> None:
    """A process in state D: it waits for a child between vfork and exec, which waits for somebody to write to a pipe."""
    pipe = sys.argv[2]
    os.mkfifo(pipe)
    _stands(os.getpid())
    os.posix_spawn("/bin/true", ["true"], {}, file_actions=[(os.POSIX_SPAWN_OPEN, 0, pipe, os.O_RDONLY, 0)])


def busy() -> None:
    """A process that computes for ever."""
    _stands(os.getpid())
    while True:
        sum(range(1000))


def _stands(*pids: int) -> None:
    print(*pids, flush=True)


def _admit_everybody() -> None:
    """prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY): with ptrace_scope 1 only parents may look otherwise."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(0x59616D61, ctypes.c_ulong(-1 & 0xFFFFFFFFFFFFFFFF), 0, 0, 0)


if __name__ == "__main__":
    _admit_everybody()
    globals()[sys.argv[1]]()
