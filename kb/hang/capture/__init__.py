"""Evidence of live processes, taken without hurting them: look first, attach last, put a limit on everything, check afterwards.

    chosen = choose(selectors)                         processes.py   who is meant
    symptoms = observe(chosen, log)                    checks.py      alive? computing? log growing?
    plan = make_plan(chosen, tools, ...)               plan.py        every command and its limit, as values
    taken = take(plan, say)                            take.py        /proc, stacks, sockets, state afterwards
    write_manifest(plan, taken, ...)                   manifest.py    what was done and what came of it

Nothing here imports what only Linux has: without /proc there are py-spy and process ids, and the plan says so.
"""
