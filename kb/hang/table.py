"""The decision table: which rule is asked when, for what class, on which evidence; what would refute it and what to do next.

`{pids}` in a command is the process ids to look at. The first rule that finds something gives the verdict, later ones that find
something too are listed as alternatives.
"""

from collections.abc import Callable
from dataclasses import dataclass

from kb.hang import rules_log as log
from kb.hang import rules_outside as outside
from kb.hang import rules_process as process
from kb.hang import rules_ranks as ranks
from kb.hang import rules_record as record
from kb.hang import rules_state as state
from kb.hang import rules_threads as threads
from kb.hang.case import Case, Finding


@dataclass(frozen=True, slots=True)
class Rule:
    """One row. `needs` is the evidence in words; `find` gives None where it is not there."""

    row: int  # of the table in the documentation
    name: str
    needs: str
    find: Callable[[Case], Finding | None]


RULES: tuple[Rule, ...] = (
    Rule(0, "crash_not_hang", "logs that end in errors, and no process left", state.crashed),
    Rule(2, "rank_stopped", "state T in /proc or ps", state.stopped),
    Rule(3, "uninterruptible_wait", "state D in /proc or ps, a kernel stack", state.uninterruptible),
    Rule(35, "process_frozen", "every thread in the kernel's freezer", state.frozen),
    Rule(12, "collective_mismatch", "flight recorders of at least two ranks", record.flights),
    Rule(13, "rank_missing_from_collective", "a desync report, a monitored barrier", log.desync),
    Rule(7, "rendezvous_wrong_peer", "an answer of absurd length in the log", log.wrong_peer),
    Rule(8, "slow_not_hung", "two samples that differ", state.slow),
    Rule(20, "gil_lock_cycle", "native frames of holder and waiter", threads.gil_lock_cycle),
    Rule(21, "gil_contention", "three threads in 5 ms waits or in one function", threads.gil_contention),
    Rule(18, "gil_held_by_native_call", "the holder of the interpreter lock (py-spy --json, pystack)", threads.gil_held),
    Rule(17, "native_comm_spin", "native frames", ranks.native_spin),
    Rule(24, "fork_inherited_lock", "one thread below fork that waits for a lock", process.fork_lock),
    Rule(25, "queue_join_deadlock", "a process that ends, its feeder thread", process.queue_join),
    Rule(27, "executor_starvation", "all workers of a pool in Future.result", process.starved_pool),
    Rule(31, "event_loop_blocked", "a blocking frame below an event loop's handle", process.loop_blocked),
    Rule(22, "lock_cycle", "lock addresses, or threads that all wait for locks", threads.lock_cycle),
    Rule(23, "blocked_on_lock_held_by_thread", "threads at one lock and another one that is blocked", threads.lock_held),
    Rule(5, "rendezvous_missing_rank", "all ranks in start-up", ranks.rendezvous),
    Rule(6, "rendezvous_store_wait", "ranks in the store's wait, one elsewhere", ranks.store_wait),
    Rule(29, "file_lock_wait", "flock in kernel, strace or frames", outside.file_lock),
    Rule(9, "busy_rank_never_reaches_sync", "one rank runs, the others are in a collective", ranks.busy),
    Rule(10, "rank_blocked_in_io", "one rank blocked, the others in a collective", ranks.blocked),
    Rule(14, "p2p_order_deadlock", "all ranks in recv, or all in send", ranks.p2p),
    Rule(11, "collective_mismatch", "different collectives or paths", ranks.mismatch),
    Rule(12, "collective_mismatch", "watchdog lines of at least two ranks", log.logged_works),
    Rule(18, "gil_held_by_native_call", "the heartbeat monitor's lines", log.watchers),
    Rule(4, "peer_dead", "a zombie, a kill in the log, or no process of a rank", state.dead),
    Rule(15, "network_stall", "ss -tinp that shows unacknowledged data", ranks.network),
    Rule(16, "symmetric_collective_stall", "all ranks at the same place", ranks.symmetric),
    Rule(28, "socket_wait_cycle", "both ends of a connection in recv", outside.socket_cycle),
    Rule(26, "pipe_full_wait", "a parent in wait, its child in write", process.pipe_full),
    Rule(32, "cuda_sync_wait", "a synchronize call", outside.device),
    Rule(33, "idle_not_hung", "workers parked in dequeue", outside.parked),
    Rule(34, "polling_wait", "sleeps around a look for something", outside.polling),
    Rule(10, "rank_blocked_in_io", "most ranks at one place, one elsewhere on the same path", outside.odd_one),
    Rule(30, "event_loop_idle", "an event loop in select", outside.idle_loop),
    Rule(8, "slow_not_hung", "one sample, everybody runs", state.all_active),
)
