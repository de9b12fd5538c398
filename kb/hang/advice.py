"""What would refute each class, and what to do next: words and commands, no code. `{pids}` are process ids, `{frame}` a frame."""

SECOND = "py-spy dump --nonblocking --json --pid {pid}   # again after 30 s: a frame that moved is slow, not hung"
CAPTURE = "kb capture --native --samples 2 {pids}"

REFUTED: dict[str, tuple[str, ...]] = {
    "crash_not_hang": ("A process of the job that is still alive.",),
    "rank_stopped": ("`grep State /proc/PID/status` shows S or R: the process runs again.",),
    "uninterruptible_wait": ("A second look at /proc/PID/stack that shows another function: the wait moves on.",),
    "peer_dead": ("The rank's process is alive (`ps`), its dump is only missing from the evidence.",),
    "rendezvous_missing_rank": ("All ranks are connected to the master's port in `ss -tnp`: then the wait is elsewhere.",),
    "rendezvous_store_wait": ("The key is in the store, or the other rank is past the line that sets it.",),
    "rendezvous_wrong_peer": ("The process that listens on the master's port is rank 0.",),
    "slow_not_hung": ("Two later samples, half a minute apart, that are equal on some rank.",),
    "busy_rank_never_reaches_sync": (
        "A second sample in which the rank has reached the collective.",
        "The rank waits for the interpreter lock (native dump).",
    ),
    "rank_blocked_in_io": ("A second sample in which the rank has moved on.", "The rank's call returns within its usual time."),
    "rank_blocked_in_lock": ("A second sample in which the rank has the lock.",),
    "collective_mismatch": (
        "The ranks belong to different groups and these calls are meant to differ.",
        "Flight recorders that show the same operation under the same number.",
    ),
    "collective_size_mismatch": ("The operation takes different sizes by design (all_to_all).",),
    "rank_missing_from_collective": ("The rank's last enqueued number equals the others'.",),
    "p2p_order_deadlock": ("A rank that is in the opposite call towards one of these.",),
    "network_stall": ("A second `ss -tinp` in which the queues drain.", "A rank with another call path or a lower sequence number."),
    "symmetric_collective_stall": (
        "Any difference between ranks: sequence number, group, size, a rank without a dump.",
        "Queues that do not drain in `ss -tinp` (then it is the network).",
    ),
    "native_comm_spin": ("A second native dump outside this function.",),
    "gil_held_by_native_call": ("A second dump with another holder of the interpreter lock.",),
    "gil_held_cpu_bound_native": ("A second dump with another native function on top.",),
    "gil_lock_cycle": ("A dump in which either thread moved.",),
    "gil_contention": ("Two samples in which one and the same thread holds the lock all the time.",),
    "lock_cycle": ("A thread outside the circle that holds one of these locks (`py-spy dump --locals`).",),
    "blocked_on_lock_held_by_thread": ("The lock belongs to another thread (`py-spy dump --locals`, gdb's py-bt).",),
    "fork_inherited_lock": ("A second thread in the child, or a timed wait.",),
    "queue_join_deadlock": ("Somebody reads the queue: the pipe drains.",),
    "pipe_full_wait": ("The child computes or waits for something else than its pipe (`cat /proc/CHILD/wchan`).",),
    "executor_starvation": ("A worker of the pool that is free.",),
    "socket_wait_cycle": ("Data in one of the queues of their connection (`ss -tnp`).",),
    "file_lock_wait": ("/proc/locks shows no holder of this file.",),
    "stale_file_lock": ("A process that still builds and will remove the lock file.",),
    "event_loop_idle": ("A task that awaits something of this process: `asyncio.all_tasks()` names it.",),
    "event_loop_blocked": ("A second sample with the loop in select.",),
    "cuda_sync_wait": ("The kernel ends: a second sample is elsewhere.",),
    "idle_not_hung": ("A request in flight that nobody answers.",),
    "polling_wait": ("The condition becomes true and the loop ends.",),
    "process_frozen": ("CPU time of the processes grows (`ps -o time`).",),
}

NEXT: dict[str, tuple[str, ...]] = {
    "crash_not_hang": ("kb match {files}",),
    "rank_stopped": (
        "grep -E 'State|TracerPid|PPid' /proc/{pid}/status   # who stopped it: a debugger, job control, the scheduler",
        "kill -CONT {pids}   # only once you know why it was stopped",
    ),
    "uninterruptible_wait": (
        "sudo cat /proc/{pid}/stack   # twice, 10 s apart",
        "dmesg -T | tail -50   # file system, driver, hung-task messages",
    ),
    "peer_dead": ("dmesg -T | grep -i -E 'killed process|out of memory'", "kb match RANK.log   # the log of the rank that is gone"),
    "rendezvous_missing_rank": (
        "ss -tnp | grep :MASTER_PORT   # how many distinct processes are connected, against the world size",
        "env | grep -E '^(MASTER_|RANK|WORLD_SIZE|LOCAL_RANK)'   # on every node",
    ),
    "rendezvous_store_wait": ("py-spy dump --native --pid {pid}   # the rank that should set the key",),
    "rendezvous_wrong_peer": ("ss -tlnp | grep :MASTER_PORT   # who listens there",),
    "slow_not_hung": ("py-spy record --duration 30 --output profile.svg --pid {pid}",),
    "busy_rank_never_reaches_sync": (
        "py-spy dump --native --pid {pid}   # twice, 30 s apart",
        "py-spy record --duration 20 --output busy.svg --pid {pid}",
    ),
    "rank_blocked_in_io": (
        "cat /proc/{pid}/wchan; ls -l /proc/{pid}/fd   # which file, pipe or peer",
        "strace -f -yy -p {pid}   # some seconds, then Ctrl-C",
    ),
    "rank_blocked_in_lock": ("py-spy dump --locals --pid {pid}   # addresses of locks, and who holds them",),
    "collective_mismatch": (
        "kb hang FLIGHT_RECORDER_FILES   # TORCH_FR_BUFFER_SIZE=2000 TORCH_NCCL_DUMP_ON_TIMEOUT=1 writes them",
        "git grep -n '{function}'   # a branch on rank, step or data that only some ranks take",
    ),
    "collective_size_mismatch": ("git grep -n '{function}'   # shapes that depend on the rank's own data",),
    "rank_missing_from_collective": ("py-spy dump --native --pid {pid}   # the rank that is behind",),
    "p2p_order_deadlock": ("git grep -n '{function}'   # let one side send first, or use isend/irecv (batch_isend_irecv)",),
    "network_stall": (
        "ss -tinp   # again after 10 s: unacked and backoff grow",
        "ping -M do -s 8972 PEER; ip -s link   # MTU, errors; then firewall and NCCL_SOCKET_IFNAME",
    ),
    "symmetric_collective_stall": (
        "ss -tinp   # on all nodes: unacknowledged data means the network",
        "py-spy dump --native --pid {pid}",
        "NCCL_DEBUG=INFO TORCH_FR_BUFFER_SIZE=2000 ...   # run again: sequence numbers of all ranks decide",
    ),
    "native_comm_spin": ("python -c 'import torch; print(torch.cuda.nccl.version())'   # upgrade NCCL",),
    "gil_held_by_native_call": ("pystack remote --native-all {pid}   # the C call below the holder; release the lock around it",),
    "gil_held_cpu_bound_native": ("pystack remote --native-all {pid}   # twice: the same function on top; then look at its input",),
    "gil_lock_cycle": ("pystack remote --native-all {pid}", "gdb -p {pid} -batch -ex 'thread apply all bt'"),
    "gil_contention": ("py-spy record --gil --duration 20 --output gil.svg --pid {pid}   # use processes instead of threads",),
    "lock_cycle": ("py-spy dump --locals --pid {pid}   # addresses of the locks; take them in one order everywhere",),
    "blocked_on_lock_held_by_thread": ("py-spy dump --locals --pid {pid}   # what the holder does inside the lock",),
    "fork_inherited_lock": (
        "python -X faulthandler -c ''   # set multiprocessing's start method to spawn or forkserver, start no thread before forking",
    ),
    "queue_join_deadlock": ("git grep -n 'join()'   # read everything from the queue before joining its writer",),
    "pipe_full_wait": (
        "ps -o pid,stat,wchan,cmd --ppid {pid}   # is the child in pipe_write?",
        "git grep -n 'PIPE'   # communicate() reads while it waits, wait() does not",
    ),
    "executor_starvation": ("git grep -n 'submit('   # tasks must not wait for tasks of their own pool",),
    "socket_wait_cycle": ("ss -tnp   # both queues of the pair empty", "strace -f -yy -p {pid}"),
    "file_lock_wait": ("cat /proc/locks; ls -li LOCKFILE   # inode -> holder",),
    "stale_file_lock": ("ls -l LOCKFILE; fuser LOCKFILE   # nobody: remove it",),
    "event_loop_idle": ("python -m asyncio ps {pid}   # 3.14; else print asyncio.all_tasks() from a signal handler",),
    "event_loop_blocked": ("py-spy dump --native --pid {pid}   # then move the call to a thread: asyncio.to_thread",),
    "cuda_sync_wait": ("CUDA_ENABLE_COREDUMP_ON_EXCEPTION=1 cuda-gdb -p {pid}   # which kernel; first look at ranks inside NCCL",),
    "idle_not_hung": ("curl -m 5 http://HOST:PORT/health   # is a request in flight at all?",),
    "polling_wait": ("strace -f -p {pid}   # some seconds: what it looks for",),
    "process_frozen": ("cat /sys/fs/cgroup/*/cgroup.freeze; dmesg -T | tail -50   # storage stall, suspended machine, freezer",),
}

UNDECIDED = (
    "kb capture --native --samples 2 --interval 30 PID...   # of all ranks: stacks twice, /proc, sockets",
    "py-spy dump --json --pid PID > rankN.pyspy.json   # one file a rank, the rank in its name",
)
"""What decides when nothing did."""

WORDS: dict[str, str] = {
    "permission": 'sudo env "PATH=$PATH" py-spy dump --json --pid PID   # or as the same user, in the same container, with CAP_SYS_PTRACE',
    "timed out": "py-spy dump --nonblocking --pid PID; cat /proc/PID/status /proc/PID/stack   # tools hang on processes in state D",
    "stopped": "py-spy dump --nonblocking --pid PID; grep State /proc/PID/status",
    "suspend": "py-spy dump --nonblocking --pid PID; grep TracerPid /proc/PID/status   # another tracer is attached",
    "no process": "pgrep -af python   # the process is gone: kb match its log",
    "not python": "gdb -p PID -batch -ex 'thread apply all bt'   # no Python in this process",
    "native": "py-spy dump --pid PID   # without --native, or inside the container",
}
"""What to do about a tool's complaint."""
