"""The record: what is known about one error.

The fields are those of err-lookup's schema 2, under their own names (camelCase in JSON, snake_case in TOML and Python). What that
schema lacks stands under the one key `kb`. Everything is strict: an unknown key, a wrong type or an incoherent value is a fault, and
all faults of a record are reported together.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator
from pydantic.alias_generators import to_camel, to_snake

SOURCE_WINDOW_LINES = 40
"""The longest source excerpt that schema 2 admits."""

Text = Annotated[str, StringConstraints(min_length=1, pattern=r"\S")]
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-+[a-z0-9]+)*-?$")]
Tag = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$")]
Repo = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+$")]
RecordId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{16}$")]
Sha = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{40}$")]
Timestamp = Annotated[str, StringConstraints(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$")]
Url = Annotated[str, StringConstraints(pattern=r"^https?://\S+$")]
LineNumber = Annotated[int, Field(ge=1, le=2**31 - 1)]

ErrorType = Literal["exception", "error_code", "console", "http", "validation", "panic"]
Severity = Literal["critical", "error", "warning", "info"]
Strategy = Literal["try-catch", "type-guard", "validation", "retry", "fallback"]
Role = Literal["cause", "symptom", "wrapper"]
Trust = Literal["curated", "imported", "mined", "model"]
Grade = Literal["measured", "maintainer", "documented", "users", "general-knowledge"]


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, validate_by_name=True, validate_by_alias=True)


class FramePattern(_Strict):
    """A stack frame that an event must show: the file's path from its package's root, and the function."""

    file: Text
    function: Text | None = None
    code: Text | None = Field(default=None, description="Words of the source line, where the function alone says too little.")


class Signature(_Strict):
    """One way to recognise the error. All fields given must agree; an event that has no frames cannot disagree with `frames`."""

    when: Literal["any", "error", "dump"] = Field(
        default="any", description="any line, only error events, or only stack dumps of hung processes"
    )
    class_: Text | Annotated[list[Text], Field(min_length=1)] | None = Field(
        default=None, alias="class", description="Exception class or classes; only the last component is compared."
    )
    message: Text | None = Field(default=None, description="The message; `{name}` stands for a value of at least one character.")
    pattern: Text | None = Field(default=None, description="A regular expression (RE2 syntax) for what a message with holes cannot say.")
    frames: list[FramePattern] = []
    exit_status: int | None = Field(
        default=None, description="Exit status of a process; a negative number is a signal, as in Python's subprocess."
    )

    @property
    def classes(self) -> tuple[str, ...]:
        """The exception classes that fit, none for any."""
        if self.class_ is None:
            return ()
        return (self.class_,) if isinstance(self.class_, str) else tuple(self.class_)

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.message is None and self.pattern is None and not self.frames and self.exit_status is None:
            raise ValueError("give the signature a message, a pattern, frames or an exit_status: a class alone fits too much")
        return self


class Example(_Strict):
    """Log text in which the record must be found."""

    text: Text
    why: Text | None = None


class CounterExample(_Strict):
    """Log text in which the record must not be found, and why somebody could think otherwise."""

    text: Text
    why: Text


class Applies(_Strict):
    """A package and the versions that show the error, as a PEP 440 specifier such as `>=0.4,<0.6`."""

    package: Text
    versions: Text | None = None


class Provenance(_Strict):
    """Where the content of one field comes from and how well it is founded."""

    by: Literal["curated", "imported", "mined", "model"]
    rule: Text | None = None
    source: Text | None = None
    confidence: Grade | None = None


class Knowledge(_Strict):
    """What faultbook knows beyond schema 2."""

    title: Text | None = None
    role: Role = "cause"
    trust: Trust = "imported"
    signatures: list[Signature] = []
    examples: list[Example] = []
    counter_examples: list[CounterExample] = []
    applies: list[Applies] = []
    symptom_of: list[Text] = Field(default=[], description="Ids or keys of records that cause this one.")
    supersedes: list[Text] = []
    provenance: dict[str, Provenance] = {}
    links: list[Url] = []


class Record(BaseModel):
    """One known error. Without a source site there is no `file_path`, `line_number` or `github_url`, and the id uses an empty path."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, alias_generator=to_camel,
                              validate_by_name=True, validate_by_alias=True)  # fmt: skip

    id: RecordId
    repo: Repo
    slug: Slug
    error_code: Text | None = None
    error_message: Text
    message_pattern: Text | None = None
    error_type: ErrorType = "exception"
    error_class: Text | None = None
    http_status: Annotated[int, Field(ge=100, le=599)] | None = None
    severity: Severity = "error"
    file_path: Text | None = None
    line_number: LineNumber | None = None
    source_code: str | None = None
    source_code_start: LineNumber | None = None
    source_code_end: LineNumber | None = None
    github_url: Url | None = None
    documentation: Text
    trigger_scenarios: Text | None = None
    common_situations: Text | None = None
    solutions: list[Text] = []
    example_fix: Text | None = None
    handling_strategy: Strategy | None = None
    validation_code: Text | None = None
    type_guard: Text | None = None
    try_catch_pattern: Text | None = None
    prevention_tips: list[Text] = []
    tags: list[Tag] = []
    background_tag: Tag | None = None
    analyzed_sha: Sha | None = None
    analyzed_at: Timestamp | None = None
    content_changed_at: Timestamp | None = None
    schema_version: Literal[2] = 2
    kb: Knowledge = Knowledge()

    @model_validator(mode="after")
    def _coherent(self) -> Self:
        if faults := [sentence for _, sentence in incoherent(self.model_dump(by_alias=True))]:
            raise ValueError("; ".join(faults))
        return self

    @property
    def title(self) -> str:
        """One line that names the error."""
        return self.kb.title or self.error_message.strip().split("\n", 1)[0]

    @property
    def only_in_dumps(self) -> bool:
        """Whether it is recognised in stack dumps of hung processes and nowhere else."""
        return bool(self.kb.signatures) and all(signature.when == "dump" for signature in self.kb.signatures)

    def to_json(self) -> dict[str, Any]:
        """The record in JSON's names, with the fields that were given and no others, in the schema's order."""
        return self.model_dump(by_alias=True, exclude_unset=True, mode="json")

    def to_v2(self) -> dict[str, Any]:
        """The record as err-lookup's schema 2 has it, without `kb`. Check `v2_faults` first."""
        whole = self.model_dump(by_alias=True, exclude={"kb", "content_changed_at"}, mode="json")
        if self.kb.trust != "imported":
            return whole
        whole["contentChangedAt"] = self.content_changed_at
        given = self.to_json()  # a record that came from schema 2 leaves as it came
        return {key: value for key, value in whole.items() if key in given}

    def v2_faults(self) -> list[str]:
        """Why schema 2 would refuse the record: the fields that it demands and this record cannot give."""
        data = self.model_dump(by_alias=True, include=set(V2_REQUIRED))
        return [f"{to_camel(name)} is missing" for name in V2_REQUIRED if data.get(to_camel(name)) in (None, [], "")]


V2_REQUIRED = ("file_path", "github_url", "documentation", "trigger_scenarios", "common_situations", "analyzed_sha",
               "analyzed_at")  # fmt: skip
"""Fields that schema 2 demands and faultbook does not."""


def record_id(repo: str, code_or_message: str, file_path: str | None) -> str:
    """The id of a record: the first 16 hex digits of SHA-256 over its three identifying texts (err-lookup's rule)."""
    return hashlib.sha256("\x01".join((repo, code_or_message, file_path or "")).encode(errors="surrogatepass")).hexdigest()[:16]


def slugify(text: str, limit: int = 80) -> str:
    """A kebab-case name made from any text; `record` where nothing usable is in it."""
    slug = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:limit].strip("-")
    return slug or "record"


def complete(data: dict[str, Any], **defaults: Any) -> dict[str, Any]:
    """`data` (either naming) with its computed id, and with `defaults` where it says nothing itself."""
    whole = {**defaults, **data}
    given = {name: whole.get(name) or whole.get(to_camel(name)) for name in ("repo", "error_code", "error_message", "file_path")}
    if "id" not in whole and isinstance(given["repo"], str) and isinstance(given["error_message"], str):
        text = given["error_code"] or given["error_message"]
        whole["id"] = record_id(given["repo"], str(text), given["file_path"] and str(given["file_path"]))
    return whole


def incoherent(data: Mapping[str, Any]) -> list[tuple[tuple[str, ...], str]]:
    """What single fields cannot tell: values (in JSON's names) that do not fit together. Values of a wrong type are passed over."""
    return [*_identity_faults(data), *_site_faults(data), *_curation_faults(data)]


def _identity_faults(data: Mapping[str, Any]) -> list[tuple[tuple[str, ...], str]]:
    known = data.get("kb")
    if not isinstance(known, Mapping) or known.get("trust") != "curated":
        return []  # others may have made their ids by another rule, and they are kept
    given, repo, file = data.get("id"), data.get("repo"), data.get("filePath")
    text = data.get("errorCode") or data.get("errorMessage")
    if not all(isinstance(value, str) for value in (given, repo, text, file or "")):
        return []
    wanted = record_id(str(repo), str(text), file)
    if given == wanted or not re.fullmatch(r"[0-9a-f]{16}", str(given)):
        return []
    return [(("id",), f"{given} should be {wanted} by repo, errorCode or errorMessage, and filePath: leave it out or mend them")]


def _site_faults(data: Mapping[str, Any]) -> list[tuple[tuple[str, ...], str]]:
    """What does not fit together in the source site and its excerpt."""
    faults: list[tuple[tuple[str, ...], str]] = []
    if data.get("filePath") is None:
        faults += [((name,), f"has no filePath to go with: name the file or drop {name}")
                   for name in ("lineNumber", "githubUrl") if data.get(name) is not None]  # fmt: skip
    start, end, line = (value if isinstance(value := data.get(name), int) else None
                        for name in ("sourceCodeStart", "sourceCodeEnd", "lineNumber"))  # fmt: skip
    code = data.get("sourceCode")
    if isinstance(code, str) and (count := code.count("\n") + 1) > SOURCE_WINDOW_LINES:
        faults.append((("sourceCode",), f"has {count} lines: cut it to {SOURCE_WINDOW_LINES}"))
    if (data.get("sourceCodeStart") is None) != (data.get("sourceCodeEnd") is None):
        faults.append((("sourceCodeStart",), "belongs together with sourceCodeEnd: give both or none"))
    if start and end and end < start:
        faults.append((("sourceCodeEnd",), f"{end} lies before sourceCodeStart {start}: swap them"))
    elif start and end and line and not start <= line <= end:
        faults.append((("lineNumber",), f"{line} lies outside the source window {start}-{end}: mend one of them"))
    return faults


def _curation_faults(data: Mapping[str, Any]) -> list[tuple[tuple[str, ...], str]]:
    known = data.get("kb")
    if not isinstance(known, Mapping) or known.get("trust") != "curated":
        return []
    return [(("kb", name), f"is empty: a curated record needs at least one [[kb.{name}]]")
            for name in ("examples", "counter_examples") if not known.get(name)]  # fmt: skip


@dataclass(frozen=True, slots=True)
class FieldFault:
    """One fault of a record: the path of the field in the naming of the input, and a sentence that says what to do."""

    path: tuple[str | int, ...]
    sentence: str

    def __str__(self) -> str:
        return f"{'.'.join(map(str, self.path))} {self.sentence}" if self.path else self.sentence


def parse_record(data: Mapping[str, Any], *, snake_case: bool = False) -> Record | list[FieldFault]:
    """A record from JSON's names (TOML's with `snake_case`), or every fault that it has."""
    names = {to_camel(key) if snake_case else key: key for key in data}
    values = {name: data[key] for name, key in names.items()}
    faults = [FieldFault((key,), f"is JSON's name: write {to_snake(key)}") for key in data if snake_case and key != key.lower()]
    try:
        record = Record.model_validate(values, by_alias=True, by_name=False)
    except ValidationError as error:
        faults += [FieldFault(tuple(item["loc"]), _sentence(item)) for item in error.errors() if item["loc"]]
        faults += [FieldFault(path, sentence) for path, sentence in incoherent(values)]
        told = [FieldFault((names.get(str(fault.path[0]), fault.path[0]), *fault.path[1:]), fault.sentence) for fault in faults]
        return told or [FieldFault((), "has a field whose name is no text: mend its spelling")]
    return faults or record


_ADVICE = {
    "id": "16 lower-case hex digits; leave it out and it is computed",
    "repo": "owner/name, as on the forge",
    "slug": "kebab-case: lower-case words joined by hyphens",
    "tags": "kebab-case, beginning with a letter",
    "backgroundTag": "kebab-case, beginning with a letter",
    "analyzedSha": "the 40 hex digits of a commit",
    "analyzedAt": "a UTC time such as 2026-01-31T12:00:00Z",
    "githubUrl": "a URL that begins with https://",
    "links": "a URL that begins with https://",
}


def _sentence(item: Mapping[str, Any]) -> str:
    """One pydantic error in words for the author of a record."""
    field = next((to_camel(str(part)) for part in reversed(item["loc"]) if isinstance(part, str)), "")
    shown = repr(item["input"])[:60]
    match item["type"]:
        case "missing":
            return "is missing: add it"
        case "extra_forbidden":
            return "is not a field of a record: remove it or mend its spelling"
        case "string_pattern_mismatch" | "string_too_short" if field in _ADVICE:
            return f"{shown} must be {_ADVICE[field]}"
        case "string_pattern_mismatch" | "string_too_short":
            return "is empty: write something or leave the field out"
        case "literal_error":
            return f"{shown} is not one of {item['ctx']['expected']}: use one of these"
        case "value_error":
            return str(item["ctx"]["error"])
        case kind if kind.endswith("_type"):
            return f"{shown} has the wrong type: {item['msg'][0].lower() + item['msg'][1:]}"
        case _:
            return f"{shown}: {item['msg'][0].lower() + item['msg'][1:]}"
