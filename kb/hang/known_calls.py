"""Which calls wait for what: tables, no code. A row is (kind, functions, part of the file's path, weight).

Of several rows that fit the library calls above a user's frame the one with the highest weight speaks; equal ones: the outer one.
Functions are compared by their last component, as versions of Python qualify names differently.
"""

IDLE, SYNC = 0, 1

PYTHON: tuple[tuple[str, tuple[str, ...], str, int], ...] = (
    # ranks wait for ranks
    ("collective", ("all_reduce", "all_gather", "all_gather_into_tensor", "all_gather_coalesced", "all_gather_object", "broadcast",
                    "broadcast_object_list", "barrier", "monitored_barrier", "reduce", "reduce_scatter", "reduce_scatter_tensor",
                    "all_to_all", "all_to_all_single", "gather", "gather_object", "scatter", "scatter_object_list", "all_reduce_coalesced",
                    "_all_gather_base", "_reduce_scatter_base"), "torch/distributed/distributed_c10d.py", 70),
    ("p2p", ("send", "recv", "isend", "irecv", "batch_isend_irecv", "send_object_list", "recv_object_list"),
     "torch/distributed/distributed_c10d.py", 70),
    ("collective", ("wait_tensor", "all_reduce", "all_gather_tensor", "wait"), "torch/distributed/_functional_collectives.py", 70),
    ("rendezvous", ("init_process_group", "_new_process_group_helper", "_store_based_barrier", "new_group", "split_group",
                    "_new_group_with_tag"), "torch/distributed/distributed_c10d.py", 75),
    ("rendezvous", ("_create_c10d_store", "_tcp_rendezvous_handler", "_env_rendezvous_handler", "rendezvous"),
     "torch/distributed/rendezvous.py", 74),
    ("rendezvous", ("next_rendezvous", "_op_executor", "run"), "torch/distributed/elastic/rendezvous/", 74),
    ("rendezvous", ("initialize",), "jax/_src/distributed.py", 74),
    ("store", ("get_all", "synchronize", "barrier", "_try_detecting_missing_ranks"), "torch/distributed/elastic/utils/store.py", 72),
    ("collective", ("all_reduce", "all_gather", "broadcast", "send", "recv", "reduce_scatter", "group_end"), "pynccl.py", 68),
    ("collective", ("synchronize", "allreduce", "allgather", "broadcast", "barrier", "poll"), "horovod/", 68),
    ("collective", ("Barrier", "Allreduce", "allreduce", "bcast", "barrier", "gather", "allgather", "Bcast"), "mpi4py/", 68),
    ("barrier", ("_wait",), "threading.py", 60),
    # processes wait for processes
    ("process lock", ("__enter__", "acquire"), "multiprocessing/synchronize.py", 55),
    ("queue join", ("_finalize_join",), "multiprocessing/queues.py", 66),
    ("pipe write", ("_send", "send_bytes", "_send_bytes", "send"), "multiprocessing/connection.py", 40),
    ("pipe read", ("_recv", "recv_bytes", "_recv_bytes", "recv"), "multiprocessing/connection.py", 40),
    ("pipe read", ("_communicate", "communicate"), "subprocess.py", 45),
    ("child", ("_try_wait", "_wait", "wait"), "subprocess.py", 44),
    ("child", ("wait", "waitpid"), "os.py", 30),
    ("process join", ("poll", "wait", "join"), "multiprocessing/", 43),
    ("process join", ("join",), "torch/multiprocessing/spawn.py", 46),
    ("process join", ("_monitor_workers", "_invoke_run", "wait"), "torch/distributed/elastic/", 46),
    # threads wait for threads
    ("lock", ("acquire",), "threading.py", 30),
    ("lock", ("acquire", "__enter__"), "importlib._bootstrap", 30),
    ("lock", ("acquire", "_acquireLock", "_acquire"), "logging/__init__.py", 50),
    ("event", ("wait", "wait_for"), "threading.py", 20),
    ("join", ("join", "_wait_for_tstate_lock", "_join"), "threading.py", 35),
    ("join", ("_shutdown",), "threading.py", 36),
    ("queue", ("get", "put"), "queue.py", 40),
    ("queue", ("get", "put"), "multiprocessing/queues.py", 50),
    ("future", ("result", "exception", "as_completed", "wait", "result_iterator"), "concurrent/futures/", 50),
    ("pool join", ("shutdown",), "concurrent/futures/", 52),
    # the outside world
    ("file lock", ("acquire", "_acquire", "__enter__"), "filelock/", 58),
    ("stale lock", ("wait",), "torch/utils/file_baton.py", 58),
    ("file lock", ("acquire", "lock"), "portalocker/", 58),
    ("socket read", ("readinto", "recv_into", "recv", "read", "recvfrom"), "socket.py", 25),
    ("socket read", ("readinto", "recv_into", "recv", "read", "do_handshake"), "ssl.py", 26),
    ("accept", ("accept", "_accept"), "socket.py", 27),
    ("connect", ("create_connection", "connect"), "socket.py", 28),
    ("event loop", ("_run_once",), "asyncio/base_events.py", 30),
    ("select", ("select",), "selectors.py", 10),
    ("serve", ("serve_forever", "get_request"), "socketserver.py", 30),
    ("cuda sync", ("synchronize", "current_stream_synchronize"), "torch/cuda/", 60),
    # engines without work
    ("parked", ("dequeue", "acquire_read", "wait_until_ready"), "shm_broadcast.py", 65),
    ("parked", ("poll", "recv", "recv_multipart", "recv_pyobj"), "zmq/", 45),
    # threads that only wait for work
    ("idle", ("_worker",), "concurrent/futures/thread.py", 90),
    ("idle", ("_process_worker",), "concurrent/futures/process.py", 39),
    ("idle", ("worker",), "multiprocessing/pool.py", 39),
    ("idle", ("_worker", "_handle_workers", "_handle_tasks", "_handle_results", "_pin_memory_loop", "do_one_step"), "pool.py", 65),
    ("idle", ("_feed",), "multiprocessing/queues.py", 21),
    ("idle", ("run",), "tqdm/_monitor.py", 90),
    ("idle", ("_run",), "wandb/", 90),
    ("idle", ("_read_thread", "_recv_msg"), "torch/_inductor/compile_worker/", 90),
    ("idle", ("_pin_memory_loop",), "torch/utils/data/_utils/pin_memory.py", 90),
    ("idle", ("_try_get_data",), "torch/utils/data/dataloader.py", 5),
    ("idle", ("_run", "_background_thread", "run"), "watchdog", 64),
    ("idle", ("_wait_for_tstate_lock", "_python_exit"), "concurrent/futures/thread.py", 22),
)  # fmt: skip

NATIVE: tuple[tuple[str, str], ...] = (
    ("native spin", r"ncclLocalOpAppend"),
    ("gil", r"take_gil"),
    ("rendezvous", r"waitForWorkers|createAndConnectAllPairs|connectFullMesh|ncclCommInitRank|bootstrapInit|_rendezvous"),
    ("store", r"c10d::(?:TCP|Prefix|File|Hash)Store::(?:wait|get|doWait|doGet|multiGet|check|add)|TCPClient::receive"),
    ("collective", r"c10d::Work::wait|c10d::ProcessGroup\w*::|WorkNCCL::|ncclGroupEnd|ncclAll|ncclBroadcast|gloo::\w+"),
    ("cuda sync", r"(?:cu|cuda|hip)(?:Stream|Device|Event|Ctx)\w*Synchronize"),
    ("process lock", r"SemLock|semlock_acquire"),
    ("mutex", r"lll_lock_wait|pthread_mutex_lock|pthread_rwlock"),
    ("lock", r"lock_PyThread_acquire_lock|PyThread_acquire_lock|rlock_acquire|acquire_timed"),
    ("file lock", r"\bflock$|fcntl_flock|fcntl_lockf|F_SETLKW"),
    ("child", r"waitpid|wait4|waitid|os_wait"),
    ("accept", r"sock_accept|^accept4?$"),
    ("connect", r"sock_connect|internal_connect|^connect$"),
    ("socket read", r"sock_recv|recvmsg|recvfrom|\brecv$|tcp_recvmsg"),
    ("socket write", r"sock_send|sendmsg|sendto"),
    ("sleep", r"nanosleep|time_sleep|pysleep|^sleep$|^usleep$"),
    ("open", r"os_open|^open(?:64|at)?$|FileIO___init__|_io_open"),
    ("read", r"os_read|_Py_read|FileIO_read|^(?:__)?read$|__libc_read"),
    ("write", r"os_write|_Py_write|^(?:__)?write$|__libc_write"),
    ("select", r"select_epoll|epoll_wait|select_poll"),
)  # fmt: skip

KERNEL: tuple[tuple[str, str], ...] = (
    ("pipe write", r"pipe_write|anon_pipe_write"),
    ("pipe read", r"pipe_read|anon_pipe_read|pipe_wait"),
    ("open", r"wait_for_partner|fifo_open"),
    ("file lock", r"locks_lock_inode_wait|flock_lock|posix_lock"),
    ("vfork", r"wait_for_vfork|kernel_clone"),
    ("child", r"^do_wait|wait4|kernel_wait"),
    ("accept", r"inet_csk_accept|csk_accept"),
    ("socket read", r"wait_woken|sk_wait_data|unix_stream_read|unix_stream_data_wait|tcp_recvmsg|skb_wait"),
    ("socket write", r"sk_stream_wait_memory|sock_alloc_send"),
    ("sleep", r"nanosleep|do_sys_poll_sleep"),
    ("stopped", r"do_signal_stop|do_jobctl"),
    ("poll", r"poll_schedule|do_sys_poll|do_select"),
    ("epoll", r"ep_poll|epoll_wait"),
    ("futex", r"futex"),
    ("file system", r"nfs|rpc_wait|fuse|ceph|lustre|io_schedule|folio_wait|wait_on_page|jbd2|xfs|ext4|cl_sync_io"),
    ("device", r"nvidia|uvm_|nv_|amdgpu|drm_"),
    ("frozen", r"refrigerator|__refrigerator|cgroup_freez|do_freezer"),
)  # fmt: skip

SYSCALLS: dict[str, str] = {
    "read": "read", "pread64": "read", "readv": "read", "write": "write", "pwrite64": "write", "writev": "write", "open": "open",
    "openat": "open", "futex": "futex", "poll": "poll", "ppoll": "poll", "select": "poll", "pselect6": "poll", "epoll_wait": "epoll",
    "epoll_pwait": "epoll", "nanosleep": "sleep", "clock_nanosleep": "sleep", "wait4": "child", "waitid": "child", "waitpid": "child",
    "accept": "accept", "accept4": "accept", "connect": "connect", "recvfrom": "socket read", "recvmsg": "socket read",
    "sendto": "socket write", "sendmsg": "socket write", "flock": "file lock", "vfork": "vfork", "fsync": "file system",
    "fdatasync": "file system", "sched_yield": "running", "fcntl": "file lock", "msgrcv": "read", "semop": "process lock",
    "semtimedop": "process lock", "io_getevents": "read", "fallocate": "file system", "unlink": "file system", "rename": "file system",
}  # fmt: skip
"""A call by name, as strace has it."""

NUMBERS_X86_64: dict[str, str] = {
    "0": "read", "1": "write", "7": "poll", "17": "pread64", "23": "select", "35": "nanosleep", "42": "connect", "43": "accept",
    "44": "sendto", "45": "recvfrom", "46": "sendmsg", "47": "recvmsg", "58": "vfork", "61": "wait4", "72": "fcntl",
    "73": "flock", "74": "fsync",
    "202": "futex", "230": "clock_nanosleep", "232": "epoll_wait", "247": "waitid", "257": "openat", "270": "pselect6", "271": "ppoll",
    "281": "epoll_pwait", "288": "accept4",
}  # fmt: skip
"""/proc/PID/syscall on x86-64; 219 (restart_syscall) says nothing of its own."""

WRAPPERS = ("c10d_logger.py", "torch/utils/_contextlib.py", "nvtx", "torch/nn/modules/module.py", "torch/_dynamo/eval_frame.py")
"""Files whose frames only wrap calls."""

INTERPRETER = ("_PyEval", "PyEval", "_PyFunction", "PyObject_", "_PyObject", "PyVectorcall", "method_vectorcall", "run_", "pymain", "Py_",
               "cfunction", "vectorcall", "object_", "slot_", "do_call_core", "type_call", "pyrun", "PyRun", "_start", "__libc_start",
               "pythread_wrapper", "thread_run", "start_thread", "__clone3", "clone3", "_PyRun", "PyCFunction", "eval_frame", "main",
               "cfunction_", "builtin_", "_Py_", "PyCFuncPtr_call", "method_", "partial_", "_PyStack")  # fmt: skip
"""Beginnings of the interpreter's own functions, which wait for nothing."""

SELF_STDLIB = (
    "test",
    "this",
    "antigravity",
    "idlelib",
    "turtledemo",
    "lib2to3",
    "__main__",
    "token",
    "code",
    "types",
    "statistics",
    "profile",
)
"""Modules of the standard library whose names users take for their own."""

SYNC_KINDS = ("collective", "p2p", "rendezvous", "store", "barrier")
"""Kinds of waiting for other ranks."""

IO_KINDS = ("read", "write", "open", "pipe read", "pipe write", "socket read", "socket write", "accept", "connect", "sleep", "poll",
            "file system", "device", "child", "call", "select", "epoll", "parked", "process join")  # fmt: skip
"""Kinds of waiting for the outside world."""

PASSIVE_KINDS = ("idle", "join", "event", "queue", "event loop", "serve", "select", "pool join", "unknown")
"""Kinds of threads that stand aside while another thread of their process does the work."""

NAMED_WAITS = r"(?:^|_)(?:wait|poll|await|watch|until)(?:_|$|ing)|^wait|^poll"
"""Names of functions that say that they wait in a loop."""
