"""The pure functions on text: templates, masks, terminal control, paths, classes."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.text.ansi import clean, printable
from kb.text.classes import same_class
from kb.text.mask import mask
from kb.text.paths import is_installed, package_path, suffix_agrees
from kb.text.template import parse_template, pattern_of_template, required_literal, squeeze, template_of_pattern

WORDS = st.text(alphabet="abcdef XYZ.:'()", min_size=1, max_size=12).map(squeeze).filter(bool)


@pytest.mark.parametrize(("template", "text", "captures"), [
    ("disk {name} is full", "disk sda is full", {"name": "sda"}),
    ("disk {name} is full", "mount failed: disk /dev/sda 1 is full now", {"name": "/dev/sda 1"}),
    ("ends in {what}", "it ends in tears and more", {"what": "tears and more"}),
    ("{who} left", "everybody left", {"who": "everybody"}),
    ("two {a}{b} holes", "two big holes", {"a": "big"}),
    ("set {{x}} to {y}", "set {x} to 3", {"y": "3"}),
    ("wrapped   over\nlines", "wrapped over lines", {}),
])  # fmt: skip
def test_templates_find_and_capture(template: str, text: str, captures: dict[str, str]) -> None:
    hit = parse_template(template).find(squeeze(text))
    assert hit is not None and dict(hit.captures) == captures


@pytest.mark.parametrize(("template", "text"), [
    ("disk {name} is full", "disk is full"), ("ends in {what}", "ends in"), ("Full", "full"), ("a {x} b {y} c", "a 1 c 2 b"),
])  # fmt: skip
def test_templates_refuse(template: str, text: str) -> None:
    assert parse_template(template).find(squeeze(text)) is None


@given(st.lists(WORDS, min_size=1, max_size=4), st.data())
def test_a_filled_template_is_found_and_its_pattern_agrees(pieces: list[str], data: st.DataObject) -> None:
    template = " {v} ".join(pieces)
    values = [data.draw(WORDS) for _ in pieces[1:]]
    text = squeeze("".join(piece + f" {value} " for piece, value in zip(pieces, [*values, ""], strict=True)))
    assert parse_template(template).find(text) is not None
    assert re.search(pattern_of_template(template), text) is not None


@given(st.text(max_size=60), st.text(max_size=200))
def test_templates_never_raise(template: str, text: str) -> None:
    parsed = parse_template(template)
    hit = parsed.find(squeeze(text))
    assert hit is None or 0 <= hit.start <= hit.end <= len(squeeze(text))


def test_weak_templates() -> None:
    assert parse_template("oops {x}").weak and parse_template("Supercalifragilistic {x}").weak
    assert not parse_template("disk {x} is full again").weak


@pytest.mark.parametrize(("pattern", "literal"), [
    (r"CUDA error: (.+) on GPU", "CUDA error: "), (r"colou?r of the wall", "r of the wall"), ("red|green", ""),
    (r"\d+ files left", " files left"),
    (r"[abc]+def ghi", "def ghi"), (r"(inner group) tail", " tail"), (r"(?i)Case Free", ""), (r"dots\.\.\. here", "dots... here"),
    (r"x{3,}yz", "yz"), ("", ""),
])  # fmt: skip
def test_required_literals(pattern: str, literal: str) -> None:
    assert required_literal(pattern) == literal


PARTS = st.sampled_from(
    ["ab", "c", r"[ab]", r"[^\]x]", "[]a]", "(cd)", "(e|f)", "x?", "y+", "z*", "w{2}", "v{0,3}", r"\.", ".", r"\d", r"\[q"]
)


@given(st.lists(PARTS, min_size=1, max_size=7).map("".join), st.data())
def test_a_required_literal_stands_in_every_match(pattern: str, data: st.DataObject) -> None:
    assert required_literal(pattern) in data.draw(st.from_regex(pattern, fullmatch=True))


@pytest.mark.parametrize(("pattern", "template"), [
    (r"disk (.+?) is full", "disk {value1} is full"), (r"^no such table: (?P<name>.+?)$", "no such table: {name}"), (r"a{3}", None),
    (r"braces \{x\} and (.*)", "braces {{x}} and {value1}"), ("(a|b) c", None),
])  # fmt: skip
def test_patterns_that_are_templates(pattern: str, template: str | None) -> None:
    assert template_of_pattern(pattern) == template


@pytest.mark.parametrize(("raw", "shown"), [
    ("\x1b[31mred\x1b[0m", "red"), ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"), ("\x1b(Bx", "x"), ("\x1b_bk;t=1\x07x", "x"),
    (" 10%\r 20%\rdone", "done"), ("line\r", "line"), ("[36mno escape[0m", "no escape"), ("a[0] = b[1m2]", "a[0] = b2]"),
    ("plain", "plain"),
])  # fmt: skip
def test_terminal_control_goes(raw: str, shown: str) -> None:
    assert clean(raw) == shown


@given(st.text(max_size=100))
def test_printable_text_cannot_steer_a_terminal(text: str) -> None:
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", printable(text))


def test_masks_hide_values_and_keep_words() -> None:
    assert mask("rank 3 of 8 at 0xff, 12.5 MB") == mask("rank 1 of 16 at 0xab, 9 MB")
    assert mask("tensor of float32") != mask("tensor of float16")
    assert mask("id 3f0a8c1e2") == mask("id 9b1d7e4f0")


@pytest.mark.parametrize(("path", "wanted", "shared"), [
    ("/srv/venv/lib/python3.11/site-packages/sglang/srt/utils.py", "python/sglang/srt/utils.py", 3),
    ("/workspace/sglang/python/sglang/srt/utils.py", "sglang/srt/utils.py", 3),
    (r"C:\venv\Lib\site-packages\sglang\srt\utils.py", "python/sglang/srt/utils.py", 3),
    ("/srv/other/utils.py", "python/sglang/srt/utils.py", 0),
    ("/srv/app/train.py", "train.py", 1),
    ("utils.py", "sglang/srt/utils.py", 0),
])  # fmt: skip
def test_paths_agree_from_their_packages_root(path: str, wanted: str, shared: int) -> None:
    assert suffix_agrees(path, wanted) == shared


def test_installed_files() -> None:
    assert is_installed("/v/lib/python3.12/site-packages/a/b.py") and is_installed("<frozen importlib._bootstrap>")
    assert not is_installed("/srv/app/main.py")
    assert package_path("/tmp/ray/session_1/runtime_resources/working_dir_files/_ray_pkg_1a2b/train.py") == "train.py"


def test_classes_are_compared_by_their_last_component() -> None:
    assert same_class("torch.cuda.OutOfMemoryError", "torch.OutOfMemoryError")
    assert same_class("RayTaskError(ValueError)", "ray.exceptions.RayTaskError")
    assert same_class("c10::Error", "Error")
    assert not same_class("ValueError", "TypeError") and not same_class(None, None)
