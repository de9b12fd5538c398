"""`kb capture` on live programs: what it finds, and that every process stands afterwards as it stood before."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from kb.hang.capture import plan as planning
from kb.hang.capture.advice import Rights, explain, my_rights
from kb.hang.capture.choose import choose
from kb.hang.capture.plan import Plan
from kb.hang.capture.private import masked
from kb.hang.capture.processes import Process, read_process
from kb.hang.capture.ranks import shown_variables, with_ranks
from kb.hang.capture.sockets import of_processes
from kb.hang.capture.take import take
from kb.hang.capture.tools import Tools, find_tools, run
from kb.store.reader import Index

PROGRAMS = Path(__file__).parent / "capture_programs.py"
LIVE = pytest.mark.skipif(sys.platform != "linux" or find_tools().pyspy is None, reason="needs Linux and py-spy (faultbook[hang])")


@dataclass(frozen=True, slots=True)
class Captured:
    """What a call of `kb capture` said and left behind."""

    code: int
    out: str
    err: str
    folder: Path

    @property
    def processes(self) -> list[dict]:
        """The manifest's processes."""
        return json.loads((self.folder / "manifest.json").read_text())["processes"]

    @property
    def commands(self) -> list[str]:
        """All command lines of tools that were run on processes."""
        return [tool["command"] for process in self.processes for tool in process["tools"]]

    @property
    def text(self) -> str:
        """Everything in the folder, and everything said."""
        return self.out + self.err + "".join(file.read_text() for file in self.folder.iterdir())


@contextmanager
def program(*words: object, ready: str = "", **environment: str) -> Iterator[list[int]]:
    """The ids of a program's processes, in a session of its own that is ended with the block. `ready`: a state to wait for."""
    child = subprocess.Popen([sys.executable, str(PROGRAMS), *map(str, words)], stdout=subprocess.PIPE, text=True, start_new_session=True,
                             env=os.environ | environment)  # fmt: skip
    try:
        assert child.stdout is not None
        pids = [int(pid) for pid in child.stdout.readline().split()]
        wait_until(lambda: all(state_of(pid) in (ready or "SR") for pid in pids))
        time.sleep(0.3)
        yield pids
    finally:
        os.killpg(child.pid, signal.SIGKILL)
        child.communicate()


def wait_until(condition) -> None:
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end, "the program does not get where it should"
        time.sleep(0.02)


def state_of(pid: int) -> str:
    """The states of all threads, the process's own first; empty for none."""
    process = read_process(pid)
    return process.state if process else ""


def states(pids: list[int]) -> list[tuple[str, bool]]:
    """(kernel's states of all threads, whether traced) of each process; running and sleeping are the same here."""
    found = [process for pid in pids if (process := read_process(pid))]
    return [("".join(sorted(set(process.threads.replace("R", "S")))), bool(process.tracer)) for process in found]


@pytest.fixture
def capture(tmp_path: Path, shipped_index: Index):
    """`capture(*arguments)` runs the command with two quick samples into a new folder."""

    def run(*arguments: object, **environment: str) -> Captured:
        folder = tmp_path / "evidence"
        command = [sys.executable, "-m", "kb", "capture", "--interval", "0.3", "-o", str(folder), *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=tmp_path, timeout=120,
                              env=os.environ | {"KB_DB": str(shipped_index.path)} | environment)  # fmt: skip
        return Captured(done.returncode, done.stdout, done.stderr, folder)

    return run


@pytest.fixture(scope="module")
def attachable() -> None:
    """Skips where the kernel lets nobody look at another process."""
    with program("sleeper") as (pid,):
        done = subprocess.run([str(find_tools().pyspy), "dump", "--pid", str(pid)], capture_output=True, text=True, timeout=30)
    if done.returncode:
        pytest.skip(f"ptrace is impossible here: {done.stderr.strip()[:100]}")


def unchanged(captured: Captured) -> bool:
    """Whether the manifest saw no process stopped, and none that had to be continued."""
    return not any(process["left_stopped"] or process["resumed_by_us"] for process in captured.processes)


@LIVE
@pytest.mark.usefixtures("attachable")
def test_a_barrier_with_one_rank_sleeping(capture) -> None:
    with program("barrier") as pids:
        before = states(pids)
        done = capture(*pids)
        assert states(pids) == before == [("S", False)] * 3
    assert done.code == 0 and unchanged(done), done.err
    assert "rank_blocked_in_io" in done.out and "rank 1, _load_shard" in done.out
    assert len([name for name in done.commands if "--json" in name]) == 6 and "--nonblocking" not in " ".join(done.commands)


@LIVE
@pytest.mark.usefixtures("attachable")
def test_native_stacks_of_every_tool_there_is(capture) -> None:
    with program("barrier") as pids:
        before = states(pids)
        done = capture("--native", "--samples", 1, pids[0], pids[1])
        assert states(pids) == before
    assert done.code in (0, 1) and unchanged(done), done.err
    assert f"pid{pids[0]}.sample1.pyspy-native.txt" in {file.name for file in done.folder.iterdir()}


@LIVE
@pytest.mark.usefixtures("attachable")
def test_two_locks_in_opposite_order(capture) -> None:
    with program("locks") as pids:
        before = states(pids)
        done = capture(*pids)
        assert states(pids) == before == [("S", False)]
    assert done.code == 0 and unchanged(done), done.err
    assert "lock_cycle" in done.out and "_transfer" in done.out


@LIVE
@pytest.mark.usefixtures("attachable")
def test_a_stopped_process_stays_stopped(capture) -> None:
    with program("sleeper") as pids:
        os.kill(pids[0], signal.SIGSTOP)
        wait_until(lambda: state_of(pids[0]) == "T")
        done = capture(*pids)
        time.sleep(0.2)
        assert states(pids) == [("T", False)]
    assert done.code == 0 and unchanged(done), done.err
    assert "rank_stopped" in done.out and "_load_shard" in done.text
    assert len(done.commands) == 2 and all("--nonblocking" in command for command in done.commands)
    assert "it is stopped: nothing attaches to it or stops it" in done.err


@LIVE
@pytest.mark.usefixtures("attachable")
def test_a_process_in_state_d_is_only_read(capture, tmp_path: Path) -> None:
    with program("vfork", tmp_path / "pipe", ready="D") as pids:
        done = capture("--native", *pids)
        assert states(pids) == [("D", False)]
    assert done.code == 0 and unchanged(done), done.err
    assert "uninterruptible_wait" in done.out
    assert done.commands and all("--nonblocking" in command for command in done.commands)


@LIVE
@pytest.mark.usefixtures("attachable")
@pytest.mark.skipif(shutil.which("strace") is None, reason="needs strace")
def test_a_process_under_strace_keeps_its_tracer(capture) -> None:
    with program("barrier") as pids:
        tracer = subprocess.Popen(["strace", "-f", "-o", os.devnull, "-p", str(pids[1])], stderr=subprocess.DEVNULL)
        try:
            wait_until(lambda: (process := read_process(pids[1])) and process.tracer)
            before = states(pids)
            done = capture(*pids)
            assert states(pids) == before == [("S", False), ("S", True), ("S", False)]
        finally:
            tracer.terminate()
            tracer.wait()
        wait_until(lambda: states(pids) == [("S", False)] * 3)
    assert done.code == 0 and unchanged(done), done.err
    assert f"traced by pid {tracer.pid}" in done.err and "rank_blocked_in_io" in done.out and "rank 1, _load_shard" in done.out
    assert [("--nonblocking" in command) for command in done.commands] == [False, False, True, True, False, False]


@LIVE
def test_what_our_own_tool_left_stopped_is_continued_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "STACK_SECONDS", 0.5)
    with program("sleeper") as (pid,), program("sleeper") as (bystander,):
        stuck = tmp_path / "py-spy"
        stuck.write_text(f'#!/bin/sh\ncase "$*" in *nonblocking*) exit 1;; esac\nkill -STOP {pid} {bystander}\nexec sleep 60\n')
        stuck.chmod(0o700)
        said: list[str] = []
        process = read_process(pid)
        assert process is not None
        (tmp_path / "out").mkdir()
        (one,), _ = take(Plan((process,), Tools(pyspy=str(stuck)), tmp_path / "out", samples=2, interval=0), said.append)
        assert (state_of(pid), state_of(bystander)) == ("S", "T")
    assert one.resumed and one.spared and not one.left_stopped
    assert [step.ran.killed for step in one.steps] == ["timed out", "", ""], "no second try to pause it"
    assert any("continued with SIGCONT" in line for line in said)


@LIVE
@pytest.mark.usefixtures("attachable")
def test_of_the_environment_only_ranks_are_kept(capture) -> None:
    names = {"RANK": "5", "WORLD_SIZE": "8", "MASTER_PORT": "29500", "SLURM_PROCID": "1", "SLURM_JWT": "hush-1", "OPENAI_API_KEY": "hush-2"}
    with program("sleeper", "--api-key=hush-3", "--token", "hush-4", **names) as pids:
        done = capture("--native", *pids)
    assert "hush" not in done.text
    assert done.processes[0]["rank"] == "5" and done.processes[0]["rank_known_by"] == "RANK"
    assert done.processes[0]["variables"]["MASTER_PORT"] == "29500" and (done.folder / f"rank5.pid{pids[0]}.sample2.pyspy.json").exists()
    assert "SLURM_PROCID" not in (done.folder / f"rank5.pid{pids[0]}.sample1.proc.txt").read_text()


@LIVE
@pytest.mark.usefixtures("attachable")
def test_a_busy_process_is_called_busy(capture) -> None:
    with program("busy") as pids:
        done = capture(*pids)
    assert "is busy (" in done.err and done.processes[0]["cpu"] >= 0.1


@LIVE
@pytest.mark.usefixtures("attachable")
def test_a_growing_log_keeps_us_away_unless_asked(capture, tmp_path: Path) -> None:
    log = tmp_path / "run.log"
    shell = f"while :; do echo step >> {log}; sleep 0.1; done"
    writer = subprocess.Popen(["sh", "-c", shell])
    try:
        with program("sleeper") as pids:
            done = capture(*pids, "--log", log)
            assert done.code == 1 and "is growing" in done.err and "nothing was attached" in done.err and not done.folder.exists()
            done = capture(*pids, "--log", log, "--yes")
            assert "is growing" in done.err and done.commands
    finally:
        writer.kill()
        writer.wait()


@LIVE
def test_without_any_tool_there_is_still_proc(capture, tmp_path: Path) -> None:
    from kb.hang.capture.processes import descendants, listed

    with program("barrier") as pids:
        process = read_process(pids[0])
        assert process is not None
        assert descendants(process.parent, listed(), os.getpid())[0] == pids
        (one,), _ = take(Plan((process,), Tools(), tmp_path, samples=1), print)
    assert one.steps == [] and "==> /proc/" in (tmp_path / one.files[0]).read_text()


@LIVE
def test_a_dry_run_shows_everything_and_does_nothing(capture) -> None:
    with program("barrier") as pids:
        done = capture("--dry-run", "--native", *pids)
    assert done.code == 0 and done.err == "" and not done.folder.exists()
    assert all(f"pid {pid}" in done.out and f"dump --json --pid {pid}" in done.out for pid in pids)
    assert "at most 10 s" in done.out and "state S (sleeping)" in done.out


@LIVE
def test_a_pattern_that_fits_several_needs_a_yes(capture) -> None:
    with program("barrier", "mark-of-this-test") as pids:
        done = capture("--name", "mark-of-this-test")
        assert done.code == 2 and "add --yes" in done.err and not done.folder.exists()
        assert all(f"pid {pid}" in done.err for pid in pids)


@LIVE
def test_who_is_gone_is_said_to_be_gone(capture, tmp_path: Path) -> None:
    with program("sleeper") as pids:
        pass
    done = capture(*pids)
    assert done.code == 2 and "it has finished" in done.err and len(done.err.splitlines()) == 1
    assert capture("--name", "no-such-program-anywhere-[x]").code == 2
    assert "regular expression" in capture("--name", "(").err


def test_never_as_a_surprise(capture, tmp_path: Path) -> None:
    done = capture()
    assert done.code == 2 and "name processes" in done.err and not done.folder.exists()
    assert "kb capture --name train.py" in capture("train.py").err
    (tmp_path / "evidence").mkdir()
    (tmp_path / "evidence" / "old").touch()
    assert "not empty" in capture(os.getpid()).err


def test_recipes(capture) -> None:
    assert "--overlap" in capture("--how", "slurm").out
    every = capture("--how")
    assert every.code == 0
    for word in (
        "--pid=container:",
        "--cap-add SYS_PTRACE",
        "kubectl debug",
        "PYTHONUSERBASE",
        "externally-managed",
        "SIGUSR1",
        "XDG_CACHE_HOME",
    ):
        assert word in every.out


def test_without_proc_there_are_py_spy_and_ids(tmp_path: Path) -> None:
    from kb.hang.capture.plan import jobs

    nowhere = tmp_path / "proc"
    (found,) = choose([os.getppid()], None, None, os.getpid(), nowhere).processes
    assert found == Process(os.getppid())
    assert [job.command[1:] for job in jobs(found, Tools(pyspy="py-spy"), False)] == [("dump", "--json", "--pid", str(os.getppid()))]
    with pytest.raises(Exception, match="no /proc"):
        choose([], "python", None, os.getpid(), nowhere)


def test_imports_need_nothing_that_only_unix_has() -> None:
    code = ("import sys\nfor name in ('pwd', 'grp', 'fcntl', 'resource', 'termios'): sys.modules[name] = None\n"
            "import kb.cli.capture, kb.hang.capture.choose, kb.hang.capture.take, kb.hang.capture.manifest, kb.hang.capture.advice\n"
            "from kb.hang.capture.processes import read_process\nimport os\nread_process(os.getpid())")  # fmt: skip
    subprocess.run([sys.executable, "-c", code], check=True)


@LIVE
@pytest.mark.skipif(not my_rights().capable or shutil.which("setpriv") is None, reason="needs CAP_SYS_PTRACE, to give it away")
def test_a_refusal_is_explained_and_proc_is_there(tmp_path: Path, shipped_index: Index) -> None:
    with program("sleeper") as (pid,):
        command = ["setpriv", "--bounding-set", "-sys_ptrace", "--inh-caps", "-all", sys.executable, "-m", "kb", "capture"]
        done = subprocess.run([*command, str(pid), "--samples", "1", "-o", "out"], capture_output=True, text=True, cwd=tmp_path,
                              env=os.environ | {"KB_DB": str(shipped_index.path), "PYTHONPATH": str(PROGRAMS.parents[1])})  # fmt: skip
    assert done.returncode == 1 and "will probably refuse" in done.stderr and "CAP_SYS_PTRACE" in done.stderr, done.stderr
    assert f"pid {pid}: no stack" in done.stderr and (tmp_path / "out" / f"pid{pid}.sample1.proc.txt").exists()


REFUSED = "Error: Failed to suspend process\n1: EPERM: Operation not permitted"


@pytest.mark.parametrize(("process", "rights", "words"), [
    (Process(7, uid=1000, user="ann"), Rights(1001, False, 0, 0, False), "sudo -u ann"),
    (Process(7, uid=1000), Rights(1000, False, 1, 0, False), "ptrace_scope is 1, only the parent"),
    (Process(7, uid=1000), Rights(1000, False, 3, 0, False), "until the next boot"),
    (Process(7, uid=0), Rights(0, False, 0, 2, True), "no CAP_SYS_PTRACE and a seccomp filter is on"),
    (Process(7, uid=0, inner=3), Rights(0, False, None, 0, False), "nsenter -t 7 -m -p py-spy dump --json --pid 3"),
    (Process(7, uid=0, tracer=9), Rights(0, True, None, 0, False), "traced by pid 9 already"),
    (Process(7, uid=0), Rights(0, False, None, 0, False), "rights that we lack"),
    (Process(7, uid=0), Rights(0, True, None, 0, False), "user namespace"),
])  # fmt: skip
def test_every_refusal_has_its_command(process: Process, rights: Rights, words: str) -> None:
    assert words in " ".join(explain(process, REFUSED, rights))


def test_rights_are_read_from_proc(tmp_path: Path) -> None:
    for name, text in (("self/status", "CapEff:\t0000000000080000\nSeccomp:\t2\n"), ("sys/kernel/yama/ptrace_scope", "1\n"),
                       ("1/cgroup", "0::/kubepods/pod1\n")):  # fmt: skip
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    rights = my_rights(tmp_path, tmp_path)
    assert (rights.capable, rights.scope, rights.seccomp, rights.contained) == (True, 1, 2, True)
    assert my_rights(tmp_path / "nowhere", tmp_path).scope is None


def test_ranks_are_those_of_workers_not_of_their_helpers_and_launchers() -> None:
    def process(pid: int, **variables: str) -> Process:
        return Process(pid, variables=tuple(variables.items()))

    launcher = process(1, SLURM_PROCID="0")
    workers = [process(2, RANK="0", SLURM_PROCID="0"), process(3, RANK="1", SLURM_PROCID="0")]
    loader = process(4, RANK="1", SLURM_PROCID="0")
    found = with_ranks([launcher, *workers, loader], {2: 1, 3: 1, 4: 3})
    assert [one.rank for one in found] == [None, "0", "1", None]
    assert found[3].rank_by == "none: inherited RANK=1 from pid 3"
    assert [shown_variables(one) for one in found] == [[], ["RANK=0"], ["RANK=1"], []]
    assert [one.rank for one in with_ranks([process(1, SLURM_PROCID="3")], {})] == ["3"]


def test_only_sockets_of_the_processes_and_their_other_ends_are_kept() -> None:
    text = ("State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess\n"
            'ESTAB 0 0 127.0.0.1:50 127.0.0.1:60 users:(("python",pid=7,fd=3))\n\t bbr backoff:3\n'
            'ESTAB 0 0 [::ffff:127.0.0.1]:60 [::ffff:127.0.0.1]:50 users:(("python",pid=8,fd=3))\n'
            'ESTAB 0 0 10.0.0.1:22 10.0.0.2:4000 users:(("sshd",pid=9,fd=3))\n'
            'LISTEN 0 9 *:60 *:* users:(("python",pid=8,fd=2))\n')  # fmt: skip
    kept = of_processes(text, {7})
    assert "backoff:3" in kept and "pid=8,fd=3" in kept and "sshd" not in kept and "LISTEN" not in kept
    assert of_processes(text, {1}) == ""


@pytest.mark.skipif(os.name != "posix", reason="written for a shell")
def test_a_tool_is_bounded_in_time_and_output(tmp_path: Path) -> None:
    start = time.monotonic()
    ran = run(["sh", "-c", "trap '' TERM; sleep 97 & echo $!; wait; wait"], tmp_path / "out", 0.3)
    assert ran.killed == "timed out" and time.monotonic() - start < 6
    wait_until(lambda: not Path(f"/proc/{(tmp_path / 'out').read_text().strip()}/cwd").exists())
    assert run(["yes"], tmp_path / "out", 20, 100_000).killed == "too much output"
    missing = run([str(tmp_path / "none")], tmp_path / "none.txt", 1)
    assert missing.code is None and "No such file" in missing.error and not (tmp_path / "none.txt").exists()


def test_secrets_in_command_lines_are_masked() -> None:
    assert masked("run --api-key=a --token b --hf_token c --port 5") == "run --api-key=*** --token *** --hf_token *** --port 5"
    assert masked("env HF_TOKEN=a x https://me:word@host/") == "env HF_TOKEN=*** x https://me:***@host/"


@LIVE
def test_data_loaders_and_launchers_are_left_out_of_a_search_and_taken_when_named() -> None:
    with program("ranks", "mark-of-ranks") as (launcher, first, second, loader):
        found = choose([], "mark-of-ranks", None, os.getpid())
        assert [(process.pid, process.rank) for process in found.processes] == [(first, "0"), (second, "1")]
        assert {pid: why.split(";")[0] for pid, why in found.left_out} == {
            launcher: "no rank: a launcher", loader: f"inherited RANK=1 from pid {second}"}  # fmt: skip
        assert [process.pid for process in choose([loader], None, launcher, os.getpid()).processes] == [first, second, loader]


@LIVE
@pytest.mark.parametrize("ending", ["SIGINT", "SIGHUP"])
def test_who_ends_us_ends_our_tool_and_leaves_nobody_stopped(ending: str, tmp_path: Path, shipped_index: Index) -> None:
    with program("sleeper") as (pid,):
        stuck = tmp_path / "py-spy"
        stuck.write_text(f"#!/bin/sh\necho $$ > {tmp_path}/tool\nkill -STOP {pid}\nexec sleep 97\n")
        stuck.chmod(0o700)
        environment = os.environ | {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "KB_DB": str(shipped_index.path)}
        ours = subprocess.Popen([sys.executable, "-m", "kb", "capture", str(pid), "-o", str(tmp_path / "out")], env=environment,
                                stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)  # fmt: skip
        wait_until(lambda: state_of(pid) == "T")
        ours.send_signal(getattr(signal, ending))
        _, said = ours.communicate(timeout=20)
        assert ours.returncode == 2 and "continued with SIGCONT" in said and "interrupted" in said
        assert state_of(pid) == "S" and not Path(f"/proc/{(tmp_path / 'tool').read_text().strip()}").exists()
