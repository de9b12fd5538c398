"""What is private and therefore never kept: the environment but for ranks, and secrets in command lines."""

import re

_RANK_LIKE = re.compile(r"(?:LOCAL_|GROUP_|NODE_)?RANK|(?:LOCAL_)?WORLD_SIZE|MASTER_(?:ADDR|PORT)|(?:SLURM|OMPI|PMIX?)_\w+")
_SECRET_NAME = re.compile(r"JWT|TOKEN|KEY|SECRET|PASS|CREDENTIAL|AUTH|COOKIE|CRED", re.IGNORECASE)
_SECRETS = (
    re.compile(r"((?:^|(?<=\s))--?[\w.-]*(?:key|token|secret|passw(?:or)?d|credentials?)(?:=|\s+))(\S+)", re.IGNORECASE),
    re.compile(r"(\b\w*(?:KEY|TOKEN|SECRET|PASSWORD)=)(\S+)"),
    re.compile(r"(://[^/\s:@]*:)([^/\s@]+)(?=@)"),
)


def rank_like(environ: str) -> tuple[tuple[str, str], ...]:
    """The variables of an environment that tell ranks and their meeting point. Nothing else of it is ever kept."""
    pairs = (entry.partition("=") for entry in environ.split("\0"))
    return tuple(sorted((name, value[:200]) for name, _, value in pairs if _RANK_LIKE.fullmatch(name) and not _SECRET_NAME.search(name)))


def masked(command: str) -> str:
    """A command line without the values of options and variables that name a secret."""
    for pattern in _SECRETS:
        command = pattern.sub(r"\1***", command)
    return command
