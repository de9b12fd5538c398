"""`kb capture --how`: getting to the processes, and the tools to them."""

RECIPES: dict[str, str] = {
    "slurm": """SLURM: a second step inside the running job; without --overlap it would wait for free resources
  squeue -j JOBID                                                    # R: it runs
  srun --jobid JOBID --overlap --ntasks-per-node=1 \\
       sh -c 'kb capture --name PATTERN --yes -o /shared/hang/$(hostname)'   # all nodes at once
  srun --jobid JOBID -w NODE --overlap --pty bash                    # or a shell on one node
  kb hang /shared/hang                                               # all nodes together
  # with pyxis/enroot the step must enter the job's container: --container-name=NAME""",
    "docker": """docker: inside where the container may trace, else from beside it
  docker exec CONTAINER kb capture --name PATTERN --yes -o /tmp/hang
  docker cp CONTAINER:/tmp/hang . && kb hang hang
  # a container started without the right cannot get it later; one beside it can have it:
  docker run --rm --pid=container:CONTAINER --cap-add SYS_PTRACE -v "$PWD:/out" python:3.13-slim \\
       sh -c 'pip install -q "faultbook[hang]" && kb capture --name PATTERN --yes -o /out/hang'
  # for the next time: docker run --cap-add SYS_PTRACE ...""",
    "podman": """podman: as docker; rootless containers trace their own processes only
  podman exec CONTAINER kb capture --name PATTERN --yes -o /tmp/hang
  podman run --rm --pid=container:CONTAINER --cap-add SYS_PTRACE -v "$PWD:/out:Z" python:3.13-slim \\
       sh -c 'pip install -q "faultbook[hang]" && kb capture --name PATTERN --yes -o /out/hang'
  podman unshare kb capture --name PATTERN --yes -o hang             # from outside, in the same user namespace""",
    "kubectl": """Kubernetes
  kubectl exec POD -c CONTAINER -- kb capture --name PATTERN --yes -o /tmp/hang
  kubectl cp POD:/tmp/hang hang -c CONTAINER && kb hang hang
  # without the right or without kb inside: a debug container that shares the process namespace
  kubectl debug -it POD --image=python:3.13-slim --target=CONTAINER --profile=sysadmin -- \\
       sh -c 'pip install -q "faultbook[hang]" && kb capture --name PATTERN --yes -o /tmp/hang; sleep 600'
  # for the next time: securityContext: {capabilities: {add: [SYS_PTRACE]}}""",
    "readonly": """Read-only home, or no place to install
  python -m venv /tmp/kb && /tmp/kb/bin/pip install -q "faultbook[hang]" && /tmp/kb/bin/kb capture PID -o /tmp/hang
  PYTHONUSERBASE=/tmp/kb pip install --user -q "faultbook[hang]"     # where venv is missing
  XDG_CACHE_HOME=/tmp/kb-cache kb capture PID -o /tmp/hang           # the index of records needs a place as well
  # no network inside: pip download -d wheels "faultbook[hang]" elsewhere, copy, pip install --no-index --find-links wheels ...""",
    "pep668": """"externally-managed-environment" (PEP 668): the system's Python is not to be touched, so do not
  python -m venv /tmp/kb && /tmp/kb/bin/pip install "faultbook[hang]"
  pipx run --spec "faultbook[hang]" kb capture PID                   # or: uvx --from "faultbook[hang]" kb capture PID
  PYTHONUSERBASE=/tmp/kb pip install --user --break-system-packages "faultbook[hang]"   # last resort: writes to /tmp/kb only""",
    "nopyspy": """Without py-spy: what can still be had, and `kb hang` reads all of it
  kb capture PID                                                     # /proc and sockets: states, kernel waits, system calls
  kb capture --native PID                                            # gdb or pystack, where one of them is there
  kill -USR1 PID       # only if the program called faulthandler.register(signal.SIGUSR1), else this KILLS it; stacks go to its stderr
  # for the next time, in the program: import faulthandler, signal; faulthandler.register(signal.SIGUSR1, all_threads=True)
  for f in status wchan syscall stack; do echo "==> /proc/PID/$f <=="; cat /proc/PID/$f; done > rank0.proc.txt; kb hang rank0.proc.txt""",
}
"""Topic -> its recipe."""


def how(topic: str) -> str:
    """The recipe on a topic, or all of them for `all`."""
    return "\n\n".join(RECIPES.values() if topic == "all" else [RECIPES[topic]]) + "\n"
