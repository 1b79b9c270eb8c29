"""The known implementations and their table: files found by scanning, what is measured, how it is rendered, and the committed data."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from lnsym.audit import table
from lnsym.audit.known import known
from lnsym.audit.known.measure import measure
from lnsym.audit.known.record import Known
from lnsym.audit.locate import load, read
from lnsym.cli import main
from tests.test_view_page import Reader, outside

REPORTS = Path(__file__).parents[2] / "reports"
FRAMEWORKS = {"torch", "jax", "jaxlib", "flax", "onnx", "onnxruntime"}


def one_format(name: str, fmt: str = "float64") -> dict[str, Any]:
    """What is measured of one implementation in one format."""
    data = measure({name: replace(known()[name], formats=(fmt,))})
    assert data["missing"] == []
    found: dict[str, Any] = data["implementations"][0]["formats"][0]
    return found


def codes(found: dict[str, Any]) -> list[str]:
    return [mistake["code"] for mistake in found["mistakes"]]


# ---------------------------------------------------------------- the files


def test_every_file_is_an_implementation_of_its_own() -> None:
    folder = Path(import_module("lnsym.audit.known").__path__[0])
    files = {path.stem for path in folder.glob("*.py")} - {"__init__", "record", "measure"}
    assert known().keys() == files
    assert len({one.name for one in known().values()}) == len(files)
    assert {one.framework for one in known().values()} == {"numpy", "torch", "jax", "onnx"}


@pytest.mark.parametrize("name", [name for name, one in known().items() if isinstance(one.subject, str)])
def test_what_a_file_names_is_there(name: str) -> None:
    one = known()[name]
    for spec in filter(None, (one.subject, one.grad)):
        assert isinstance(spec, str)
        if spec.startswith("lnsym."):
            assert callable(load(read(spec)))


# ---------------------------------------------------------------- what is measured


def test_two_passes_hold_in_the_ordinary_range_and_overflow_limits_them() -> None:
    found = one_format("numpy_two_pass")
    assert found["ordinary"] == "held"
    assert found["full"] == "failed"
    assert found["limits"][0]["title"] == "squares and sums that overflow"
    assert float(found["worst"]) <= 1


def test_eps_outside_the_root_is_named() -> None:
    found = one_format("numpy_std_plus_eps")
    assert found["ordinary"] == found["full"] == "failed"
    assert "LN101" in codes(found)
    assert float(found["worst"]) > 1


def test_one_pass_is_named() -> None:
    found = one_format("numpy_one_pass")
    assert found["ordinary"] == "failed"
    assert "LN201" in codes(found)
    assert found["worst"] == "nan"


@pytest.mark.parametrize("tier", ["exact", "safe"])
def test_our_tiers_hold_over_the_full_range(tier: str) -> None:
    found = one_format(f"emitted_{tier}")
    assert found["ordinary"] == found["full"] == "held"
    assert found["failed"] == found["limits"] == found["mistakes"] == found["nearest"] == []
    assert sum(found["counts"].values()) > 40


def test_measuring_twice_gives_the_same_and_holds_no_times() -> None:
    one = {"numpy_std_plus_eps": replace(known()["numpy_std_plus_eps"], formats=("float64",))}
    first = measure(one)
    assert measure(one) == first == json.loads(json.dumps(first))
    assert first["implementations"][0]["packages"].keys() == {"numpy"}
    assert {"seconds", "time"}.isdisjoint(re.findall(r'"(\w+)":', json.dumps(first)))


def test_what_is_not_installed_is_said_to_be_missing() -> None:
    data = measure({"other": Known("Other", "No such thing.", ("no-such-package",), "numpy", "no_such_module:f")})
    assert data["implementations"] == []
    assert data["missing"] == [{"id": "other", "name": "Other", "packages": ["no-such-package"]}]


def test_a_format_that_is_refused_is_not_a_failure(tmp_path: Path) -> None:
    file = tmp_path / "fussy.py"
    file.write_text("def f(x, eps=1e-5):\n    raise TypeError('only float128')\n", encoding="utf-8")
    data = measure({"fussy": Known("Fussy", "Refuses.", ("numpy",), "numpy", f"{file}:f", formats=("float16",))})
    assert data["implementations"][0]["formats"] == [{"format": "float16", "refused": "TypeError: only float128"}]
    assert "refused" in "\n".join(table.lines(data))
    assert "TypeError: only float128" in table.html(data)


@pytest.mark.torch
def test_torch_is_not_accused() -> None:
    assert one_format("torch_functional")["ordinary"] == one_format("torch_module", "float32")["ordinary"] == "held"


@pytest.mark.torch
def test_the_tutorial_divides_by_another_number_and_adds_eps_outside() -> None:
    assert "LN114" in codes(one_format("torch_tutorial"))


@pytest.mark.onnx
def test_onnxruntime_is_measured_from_a_file() -> None:
    assert one_format("onnxruntime_layer_normalization", "float32")["full"] in ("held", "failed")


@pytest.mark.jax
@pytest.mark.full
def test_the_fast_variance_of_flax_is_told_from_the_other() -> None:
    assert one_format("flax_linen_fast", "float32")["ordinary"] == "failed"
    assert one_format("flax_linen_two_pass", "float32")["ordinary"] == "held"


# ---------------------------------------------------------------- the table

FOUND: dict[str, Any] = {
    "format": "float32", "ordinary": "held", "full": "failed", "mistakes": [{"code": "LN203", "title": "squares <leave>", "about": "y"}],
    "nearest": [], "counts": {"held": 4, "failed": 1, "not_run": 2}, "failed": [],
    "limits": [{"id": "F11", "title": "squares that overflow", "reason": "y is 0"}], "worst": "0.25",
}  # fmt: skip
DATA: dict[str, Any] = {
    "schema": table.SCHEMA, "eps": 1e-5, "seed": 0,
    "implementations": [
        {"id": "one", "name": "One", "about": "Does.", "packages": {"numpy": "9.8.7"},
         "formats": [FOUND, {**FOUND, "format": "float64", "ordinary": "failed", "worst": "nan", "failed": FOUND["limits"], "limits": []},
                     {"format": "float16", "refused": "no kernel"}]},
    ],
    "missing": [{"id": "two", "name": "Two", "packages": ["torch"]}],
}  # fmt: skip


def test_the_text_has_a_line_for_each_format() -> None:
    assert list(table.lines(DATA)) == [
        "implementation                format    ordinary  full         worst      named",
        "One                           float32   held      limited F11  0.25       LN203",
        "                              float64   failed    failed       no number  LN203",
        "                              float16   refused   refused",
        "Two                           not measured: torch not installed",
    ]


def test_the_page_holds_everything_that_was_measured() -> None:
    text = table.html(DATA)
    said = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text.partition("<main")[2]))
    for words in (
        "numpy 9.8.7",
        "4 held, 1 failed, 2 not run",
        "LN203 squares &lt;leave&gt;",
        "F11 squares that overflow: y is 0",
        "no kernel",
        "Two",
    ):
        assert words in said, words
    assert outside(text) == []
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    names = [attributes["id"] for _, attributes in reader.tags if "id" in attributes]
    assert len(names) == len(set(names))
    assert {(a.get("href") or "")[1:] for tag, a in reader.tags if tag == "a"} <= set(names)


def test_rendering_is_equal_to_the_byte() -> None:
    assert table.files(DATA) == table.files(json.loads(json.dumps(DATA)))
    assert table.files(DATA).keys() == {"compliance.html"}


def test_other_data_is_refused() -> None:
    with pytest.raises(table.BadTable, match=r"expected a compliance table of the schema lnsym.compliance/1, got 'other'"):
        table.html({**DATA, "schema": "other"})


# ---------------------------------------------------------------- the command


@pytest.fixture
def only_one(monkeypatch: pytest.MonkeyPatch) -> None:
    few = {"numpy_std_plus_eps": replace(known()["numpy_std_plus_eps"], formats=("float64",))}
    monkeypatch.setattr(import_module("lnsym.audit.known"), "known", lambda: few)


@pytest.mark.usefixtures("only_one")
def test_the_command_writes_data_and_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "new"
    for _ in range(2):  # its own table is written anew
        assert main(["audit", "--known", "-o", str(out)]) == 0
    said = capsys.readouterr().out
    assert "NumPy, np.std plus eps" in said
    assert said.endswith(f"wrote {out / 'compliance.json'} and {out / 'compliance.html'}\n")
    data = json.loads((out / "compliance.json").read_text(encoding="utf-8"))
    assert (out / "compliance.html").read_bytes() == table.files(data)["compliance.html"]
    assert main(["audit", "--known", "--json", "-o", str(out)]) == 0
    assert json.loads(capsys.readouterr().out) == data


@pytest.mark.usefixtures("only_one")
def test_a_foreign_file_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "compliance.json").write_text("[]", encoding="utf-8")
    assert main(["audit", "--known", "-o", str(tmp_path)]) == 2
    assert "is not a compliance table of lnsym; nothing was measured" in capsys.readouterr().err
    assert (tmp_path / "compliance.json").read_text(encoding="utf-8") == "[]"


# ---------------------------------------------------------------- what is committed


def test_the_committed_table_is_whole_and_its_page_is_its_rendering() -> None:
    data = json.loads((REPORTS / "compliance.json").read_text(encoding="utf-8"))
    assert [one["id"] for one in data["implementations"]] == list(known())
    assert data["missing"] == []
    assert {name for one in data["implementations"] for name in one["packages"]} == FRAMEWORKS | {"numpy"}
    assert (REPORTS / "compliance.html").read_bytes() == table.files(data)["compliance.html"]


def test_the_committed_table_accuses_nobody_who_is_honest() -> None:
    data = json.loads((REPORTS / "compliance.json").read_text(encoding="utf-8"))
    found = {(one["id"], fmt["format"]): fmt for one in data["implementations"] for fmt in one["formats"]}
    for name in ("emitted_exact", "emitted_safe"):
        assert all(found[name, fmt]["full"] == "held" for fmt in known()[name].formats)
    for name in ("numpy_two_pass", "emitted_plain", "torch_functional", "torch_module", "flax_linen_two_pass"):
        assert found[name, "float64"]["ordinary"] == found[name, "float32"]["ordinary"] == "held"
    for name in ("numpy_one_pass", "numpy_std_plus_eps", "torch_tutorial"):
        assert found[name, "float64"]["ordinary"] == "failed"
