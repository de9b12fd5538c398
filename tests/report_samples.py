"""Diagnoses that every renderer must draw. A new sample gets its goldens with `pytest --update`."""

from dataclasses import replace
from typing import Any

from kb.model.event import Event, Frame
from kb.model.match import Evidence, Fired, Match
from kb.model.report import Diagnosis, Finding, Hint, Input, KnowledgeBase

HOSTILE_TEXT = (
    "::error::x\n##[error]y ##[add-mask]z\n\x1b[31mred\x1b[0m \x1b]0;title\x07\r::stop-commands::t\n"
    "</pre></details><script>alert(1)</script> <img src=x onerror=y>\n"
    "`` ``` ````\n| a | b |\n| - | - |\n"
    "@octocat fixes #123, GH-7, o/r#5 http://evil.example www.evil.example :bug: $x$\n"
    "bytes \udcff\udc80 and \ud800, \u202egnp.exe\u2069, \u2028, %0A::warning::, a,b:c\n" + "long " * 500
)

KNOWN = KnowledgeBase("/srv/kb/index.db", 152310, "9f2c41d07be85a36")

EXCHANGE: dict[str, Any] = {
    "id": "54b03021d6f37a66",
    "key": "sgl-project/sglang/timed-out-waiting-for-posix-fd-exchange",
    "title": "timed out waiting for POSIX fd exchange",
    "trust": "imported",
    "role": "symptom",
    "documentation": "exchange_posix_fds runs a receiver thread and joins it with _FD_SEND_TIMEOUT_S; if the thread is "
    "still alive after the timeout (a peer never connected or never finished), the exchange is declared timed out.",
    "triggerScenarios": "The recv thread does not finish within _FD_SEND_TIMEOUT_S seconds: a peer crashed before "
    "connecting, socket path mismatch, or a sender blocked on sendmsg because the peer isn't draining.",
    "solutions": [
        "Inspect other ranks' logs for a crashed/hung peer, usually the root cause.",
        "Ensure all ranks use the same socket path/tmpdir derivation.",
        "Increase _FD_SEND_TIMEOUT_S if the cluster is slow or world size is large.",
    ],
    "tryCatchPattern": "try:\n    fds = exchange_posix_fds(group, rank, local_fds, sock_path, peer_counts)\n"
    'except RuntimeError as e:\n    if "timed out" in str(e):\n'
    "        check_peer_ranks_alive()  # usually a crashed peer\n        raise",
    "preventionTips": ["Log peer health before exchange", "Derive socket path identically on all ranks"],
    "githubUrl": "https://github.com/sgl-project/sglang/blob/0132848349585cfe6aae51c4941cbae872505f8a/python/sglang/srt/utils/"
    "cuda_vmm_utils.py#L818-L854",
    "kb": {"provenance": {"solutions": {"by": "imported", "confidence": "general-knowledge"}}},
}

KILLED: dict[str, Any] = {
    "id": "6d1f0a9be2c47713",
    "key": "linux/process-killed",
    "title": "Process killed by SIGKILL (most often by the kernel, out of memory)",
    "trust": "curated",
    "role": "cause",
    "documentation": "The shell prints `Killed` when a process was ended by signal 9, which no program can catch or "
    "log. Most often the kernel's out-of-memory killer sent it; a supervisor, a job scheduler or a person can, too.",
    "triggerScenarios": "Host or container memory is used up, or somebody ran kill -9.",
    "solutions": [
        'Ask the kernel: dmesg -T | grep -i -E "killed process|out of memory".',
        "Ask the container: docker inspect --format '{{.State.OOMKilled}}' <container>.",
        "Lower the memory use: smaller batches, fewer workers, or raise the limit.",
    ],
    "preventionTips": ["Log the resident memory of each process regularly."],
    "kb": {
        "links": ["https://www.kernel.org/doc/gorman/html/understand/understand016.html"],
        "provenance": {
            "solutions": {"by": "curated", "confidence": "documented", "source": "https://docs.kernel.org/mm/oom.html"}
        },
    },
}

CUDA_MEMORY: dict[str, Any] = {
    "key": "torch/cuda-out-of-memory",
    "title": "CUDA out of memory",
    "trust": "curated",
    "documentation": "The allocator of PyTorch could not get another block from the device.",
    "solutions": ["Use smaller batches or shorter sequences.", "See what else is on the device: nvidia-smi."],
    "kb": {},
}

GUESSED: dict[str, Any] = {
    "key": "pytorch/pytorch/cuda-out-of-memory-tried-to-allocate",
    "title": "CUDA out of memory. Tried to allocate {size}",
    "trust": "model",
    "documentation": "Raised by the caching allocator.",
    "solutions": ["Set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True.", "Never shown."],
}

_SGLANG = "/srv/venv/lib/python3.11/site-packages/sglang/srt/utils/cuda_vmm_utils.py"

TIMEOUT = Finding(
    id=0,
    role="symptom",
    event=Event(
        kind="exception", message="timed out waiting for POSIX fd exchange", line=17, span=(9, 17), cls="RuntimeError",
        language="python", stream="rank3", rank="3",
        frames=(
            Frame(_SGLANG, 851, "exchange_posix_fds", 'raise RuntimeError("timed out waiting for POSIX fd exchange")'),
            Frame("/srv/job/launch.py", 30, "main", "fds = V.exchange_posix_fds(dist.group.WORLD, r, w, [wfd], [1]*w)"),
            Frame("/srv/job/launch.py", 33, "<module>", "main()"),
        ),
    ),
    count=3, lines=(17, 26, 35), ranks=("0", "1", "3"), streams=("rank3", "rank1", "rank0"), caused_by=(1,),
    matches=(
        Match(
            EXCHANGE["id"], EXCHANGE["key"], "symptom", "template", 0.99, (),
            (
                Evidence("template", "timed out waiting for POSIX fd exchange", 17),
                Evidence("frame", "sglang/srt/utils/cuda_vmm_utils.py, exchange_posix_fds", 15),
            ),
            39,
        ),
    ),
    reason="its record says that it is only ever a consequence",
)  # fmt: skip

KILL = Finding(
    id=1,
    role="root",
    event=Event(
        kind="exit", message="launch.sh: line 2: 21478 Killed                  RANK=$r LOCAL_RANK=$r python launch.py",
        line=36, span=(36, 36), exit_status=-9, pid=21478,
    ),
    count=1, lines=(36,), ranks=(), streams=("",), cause_of=(0,),
    matches=(
        Match(
            KILLED["id"], KILLED["key"], "cause", "code", 0.85, (("pid", "21478"),),
            (Evidence("exit", "ended by signal 9", 36),),
        ),
    ),
    reason="a process that is killed from outside explains peers that wait in vain",
)  # fmt: skip

PEER_KILL = Diagnosis(
    input=Input("peer_kill.log", 3012, 36),
    knowledge=KNOWN,
    verdict="root-cause",
    roots=(1,),
    findings=(TIMEOUT, KILL),
    fired=(
        Fired(EXCHANGE["id"], EXCHANGE["key"], "template", (17, 26, 35)),
        Fired(KILLED["id"], KILLED["key"], "code", (36,)),
    ),
    hint=Hint("it is the only rank that printed no error", ("2",)),
    ranks=("0", "1", "2", "3"),
    skipped={"fuzzy_events": 0, "long_lines": 0},
    records={EXCHANGE["id"]: EXCHANGE, KILLED["id"]: KILLED},
)

PEER_STALL = replace(
    PEER_KILL,
    input=Input("peer_stall.log", 4120, 47),
    verdict="symptom-only",
    roots=(),
    findings=(
        Finding(
            0, "symptom",
            Event("exception", "[Errno 2] No such file", 47, (38, 47), "FileNotFoundError", "python", rank="2"),
            1, (47,), ("2",), ("rank2",), (), (1,), (), "its peers are gone",
        ),
        replace(TIMEOUT, id=1, caused_by=()),
    ),
    fired=PEER_KILL.fired[:1],
    hint=Hint("it is the only one that did not time out, and its own error comes after", ("2",)),
    records={EXCHANGE["id"]: EXCHANGE},
)  # fmt: skip

MEMORY_MESSAGE = (
    "CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total capacity of 79.11 GiB of which 10.25 MiB is "
    "free. Process 1741 has 79.09 GiB memory in use. Of the allocated memory 77.40 GiB is allocated by PyTorch, and "
    "1.02 GiB is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting "
    "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation."
)

TWINS = Diagnosis(
    input=Input(
        "job-12", 90211, 1204, True, ("job-12-0.out", "job-12-1.out", "job-12-2.out"), (("core.1741", "it is no text"),)
    ),
    knowledge=KNOWN,
    verdict="root-cause",
    roots=(0,),
    findings=(
        Finding(
            0, "root",
            Event(
                "exception", MEMORY_MESSAGE, 20, (12, 20), "torch.OutOfMemoryError", "python",
                file="job-12-2.out", stream="rank2", rank="2",
                frames=(
                    Frame("<frozen runpy>", 88, "_run_code", runtime=True),
                    Frame("src/train.py", 88, "forward", "y = self.mlp(x)"),
                ),
            ),
            1, (20,), ("2",), ("rank2",), (1,), (),
            (
                Match(
                    "aaaaaaaaaaaaaaaa", CUDA_MEMORY["key"], "cause", "template", 0.95, (),
                    (Evidence("class", "OutOfMemoryError", 20),),
                ),
                Match("bbbbbbbbbbbbbbbb", GUESSED["key"], "cause", "template", 0.9501, (("size", "20.00 MiB"),)),
                Match("cccccccccccccccc", "not/as/good", "cause", "fuzzy", 0.78),
            ),
            "the first error in time, and its process ended first",
        ),
        Finding(
            1, "symptom",
            Event(
                "exception", "Connection closed by peer [10.0.0.7]:41322", 44, (40, 44), "RuntimeError", "python",
                file="job-12-0.out", stream="rank0", rank="0",
            ),
            2, (44, 45), ("0", "1"), ("rank0", "rank1"), (), (0,),
        ),
    ),
    fired=(Fired("aaaaaaaaaaaaaaaa", CUDA_MEMORY["key"], "template", (20,), "job-12-2.out"),),
    ranks=("0", "1", "2"),
    skipped={"fuzzy_events": 12, "long_lines": 1},
    records={"aaaaaaaaaaaaaaaa": CUDA_MEMORY, "bbbbbbbbbbbbbbbb": GUESSED},
)  # fmt: skip

UNKNOWN = Diagnosis(
    input=Input("-", 5210, 61),
    knowledge=KNOWN,
    verdict="root-cause",
    roots=(0, 1),
    findings=(
        Finding(
            0, "root",
            Event(
                "test", "assert 3 == 4\n +  where 3 = len([1, 2, 3])", 30, (12, 31), "AssertionError", "python",
                frames=(Frame("tests/test_cart.py", 14, "test_total", "assert len(cart) == 4"),),
            ),
            1, (30,), (), ("",), reason="a failed test is a failure of its own",
        ),
        Finding(1, "root", Event("crash", "", 52, (52, 58), exit_status=-11, complete=False), 1, (52,), (), ("",)),
        Finding(
            2, "other", Event("error", "could not write the cache", 3, (3, 3), level="ERROR"),
            4, (3, 5, 7, 9), (), ("",),
        ),
    ),
)  # fmt: skip

MANY = Diagnosis(
    input=Input("ci.log", 2_000_000, 41_000),
    knowledge=KNOWN,
    verdict="root-cause",
    roots=tuple(range(7)),
    findings=(
        *(
            Finding(
                n, "root",
                Event("test", f"case {n} failed", 100 * n + 2, (100 * n + 1, 100 * n + 2), "AssertionError", "python"),
                1, (100 * n + 2,), (), ("",),
                matches=(Match("aaaaaaaaaaaaaaaa", CUDA_MEMORY["key"], "cause", "fuzzy", 0.76),) if n % 2 else (),
            )
            for n in range(7)
        ),
        *(
            Finding(
                n, "symptom" if n % 2 else "other",
                Event("error", f"worker {n} gave up\nand said why", 1000 + n, (1000 + n, 1001 + n)),
                n % 3 + 1, tuple(range(1000 + n, 1001 + n + n % 3)), tuple(str(2 * rank) for rank in range(n)), ("",),
            )
            for n in range(7, 40)
        ),
    ),
    ranks=tuple(map(str, range(64))),
    records={"aaaaaaaaaaaaaaaa": CUDA_MEMORY},
)  # fmt: skip

CLEAN = Diagnosis(Input("green.log", 18233, 214), KNOWN, "clean", (), ())

RECOGNISED = replace(
    CLEAN, fired=(Fired("dddddddddddddddd", "prequel/cre/CRE-2025-0026", "condition", (17, 19)),),
    records={"dddddddddddddddd": {"key": "prequel/cre/CRE-2025-0026", "title": "Startup without a cluster"}},
)  # fmt: skip

HANG = Diagnosis(
    Input("stuck.log", 900, 12, True), KNOWN, "hang", (),
    (Finding(0, "symptom", Event("stall", "no output for 1800 s", 12, (12, 12)), 1, (12,), ("0", "1"), ("",)),),
    hint=Hint("take stacks of the waiting processes"), ranks=("0", "1"),
)  # fmt: skip

_HOSTILE_RECORD: dict[str, Any] = {
    "key": "evil/<script>`",
    "title": HOSTILE_TEXT[:400],
    "documentation": HOSTILE_TEXT,
    "triggerScenarios": HOSTILE_TEXT,
    "solutions": [HOSTILE_TEXT, "::warning::x", "  \u3000::error::x", "", 7],
    "tryCatchPattern": f"```\n{HOSTILE_TEXT}\n~~~\n</pre>\n::error::x",
    "preventionTips": [
        "# heading",
        "1. one",
        "> quote",
        "- - -",
        "[x](http://evil.example)",
        "a_b`c_*x*`",
        "`open <b>",
    ],
    "githubUrl": "javascript:alert(1)",
    "kb": {"links": ["https://evil.example/)<script>"], "provenance": {"solutions": "no mapping"}},
}

HOSTILE = Diagnosis(
    input=Input("::error::\x1b[2J`<script>\n.log", 1, 1, False, ("a\ud800<b>",)),
    knowledge=KnowledgeBase("x", 1, "g\x1b[0m"),
    verdict="root-cause",
    roots=(0,),
    findings=(
        Finding(
            0, "root",
            Event("exception", HOSTILE_TEXT, 1, (1, 9), "::error::<script>`\x1b[1mE", frames=(
                Frame("../../etc/passwd", 1, "::error::f"), Frame("<script>"), Frame("C:\\x,y:z.py", 3, "`g`"))),
            2, (1, 1), ("::error::", "0", "00", "9" * 5000), ("##[error]",), (1,), (),
            (Match("e" * 16, "evil/<script>`", "cause", "pattern", 1.0, (("x", HOSTILE_TEXT),),
                   (Evidence("##[error]", HOSTILE_TEXT, 1), Evidence("p", "##[error]", 1))),),
            "::error::reason ##[error]",
        ),
        Finding(1, "symptom", Event("error", HOSTILE_TEXT, 1, (1, 1)), 1, (1,), (), ("",), (), (0,)),
        Finding(
            2, "other", Event("error", "##vso[task.setvariable variable=x]y", 1, (1, 1), file="::error::.log"),
            1, (1,), (), ("",),
        ),
    ),
    fired=(Fired("f" * 16, "::error::</details>", "condition", ()),),
    hint=Hint("::error::hint </details>\n::error::", ("##[x]",)),
    ranks=("0",),
    skipped={"::error::x {0}": 1},
    records={"e" * 16: _HOSTILE_RECORD},
)  # fmt: skip

SAMPLES: dict[str, tuple[Diagnosis, ...]] = {
    "peer_kill": (PEER_KILL,),
    "peer_stall": (PEER_STALL,),
    "twins": (TWINS,),
    "unknown": (UNKNOWN,),
    "many": (MANY,),
    "clean": (CLEAN,),
    "recognised": (RECOGNISED,),
    "hang": (HANG,),
    "hostile": (HOSTILE,),
    "several": (CLEAN, PEER_KILL, PEER_STALL),
    "none": (),
}
