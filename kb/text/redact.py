"""Secrets out of text: tokens, keys, passwords, credentials in addresses, e-mail addresses, names of home folders.

What a value is stays readable (`<github-token>`), so that a redacted report can still be understood.
"""

import re

_SECRETS = re.compile(
    r"""
    (?P<private_key>-----BEGIN\ [A-Z ]*PRIVATE\ KEY-----.*?(?:-----END\ [A-Z ]*PRIVATE\ KEY-----|\Z))
  | (?P<github_token>\bgh[pousr]_[A-Za-z0-9]{20,255}\b|\bgithub_pat_[A-Za-z0-9_]{20,255}\b)
  | (?P<gitlab_token>\bglpat-[A-Za-z0-9_-]{16,64}\b)
  | (?P<huggingface_token>\bhf_[A-Za-z0-9]{20,80}\b)
  | (?P<openai_key>\bsk-(?:proj-|ant-|or-)?[A-Za-z0-9_-]{20,200}\b)
  | (?P<aws_key>\b(?:AKIA|ASIA)[A-Z0-9]{16}\b)
  | (?P<google_key>\bAIza[A-Za-z0-9_-]{35}\b)
  | (?P<slack_token>\bxox[abeprs]-[A-Za-z0-9-]{10,200}\b)
  | (?P<wandb_key>(?<=WANDB_API_KEY=)[0-9a-f]{40}\b)
  | (?P<jwt>\beyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{4,2000})
  | (?P<credentials>(?<=://)[^/\s:@]{1,200}:[^/\s@]{1,200}(?=@))
  | (?P<authorization>(?<=[Bb]earer\ )[A-Za-z0-9._~+/=-]{8,2000}|(?<=[Bb]asic\ )[A-Za-z0-9+/=]{12,2000})
  | (?P<email>\b[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,4}\b)
  | (?P<home>(?<=/home/)[^/\s'":,)]{1,64}|(?<=/Users/)[^/\s'":,)]{1,64}|(?<=\\Users\\)[^\\\s'":,)]{1,64})
    """,
    re.VERBOSE | re.DOTALL,
)
_NAMED = re.compile(
    r"(?P<name>\b[\w.-]{0,40}(?:password|passwd|secret|token(?!iz)|api[_-]?key|access[_-]?key|private[_-]?key)[\w.-]{0,20}"
    r"['\"]?\s{0,3}[=:]\s{0,3}['\"]?)(?P<value>[^\s'\",;&)]{4,400})",
    re.IGNORECASE,
)
_HARMLESS = re.compile(r"(?i)^(?:none|null|true|false|missing|invalid|expired|not|is|was|required|\*+|<.*|\d{1,6})$")


def redact(text: str) -> str:
    """`text` with everything that looks like a secret, or names a person, as what it is in angle brackets."""
    shown = _SECRETS.sub(lambda found: f"<{(found.lastgroup or 'secret').replace('_', '-')}>", text)
    return _NAMED.sub(lambda found: found[0] if _HARMLESS.match(found["value"]) else f"{found['name']}<secret>", shown)
