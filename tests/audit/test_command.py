"""`lnsym audit` and `lnsym explain` as a newcomer meets them: messages, exit codes, the JSON, what is written and what is not."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from lnsym.audit import audit
from lnsym.cli import main
from lnsym.errors import LnsymError

FILES = {
    "mynorm.py": """
        import numpy as np
        def layer_norm(x, weight=1.0, bias=0.0, eps=1e-5):
            v = x - x.mean(axis=-1, keepdims=True)
            return weight * v / (v.std(axis=-1, keepdims=True) + eps) + bias
        def rms_norm(x): return x
        """,
    "good.py": """
        import numpy as np
        def layer_norm(h, gamma=1.0, beta=0.0, eps=1e-5):
            v = h - h.mean(axis=-1, keepdims=True)
            return gamma * v / np.sqrt((v * v).mean(axis=-1, keepdims=True) + h.dtype.type(eps)) + beta
        def right(dy, x, weight, eps):
            v = x - x.mean(-1, keepdims=True)
            r = 1 / np.sqrt((v * v).mean(-1, keepdims=True) + x.dtype.type(eps))
            u, g = v * r, dy * weight
            dx = r * (g - g.mean(-1, keepdims=True) - u * (g * u).mean(-1, keepdims=True))
            return dx, (dy * u).reshape(-1, x.shape[-1]).sum(0), dy.reshape(-1, x.shape[-1]).sum(0)
        def only_dx(dy, x, weight, eps): return right(dy, x, weight, eps)[0]
        def forgets(dy, x, weight, eps): right(dy, x, weight, eps)
        def of_dy(dy): return dy
        """,
    "odd.py": """
        import functools, time
        from good import layer_norm
        EPS = 1e-5
        def opaque(h, a, b, e): return layer_norm(h, a, b, e)
        def star(*args): return layer_norm(*args)
        def no_input(): return 3
        def row(x): return x.mean(-1)
        def none(x): layer_norm(x)
        def text(x): return "x"
        def stops(x): raise ValueError("no way")
        def pieces(x): yield x
        async def later(x): return x
        def last_of_three(x): return x.mean(-1), x.std(-1), layer_norm(x)
        def images(x, weight):
            n, c, h, w = x.shape
            v = x - x.mean(1, keepdims=True)
            return weight[:, None, None] * v / ((v * v).mean(1, keepdims=True) + 1e-5) ** 0.5
        def hangs(x): time.sleep(100)
        def kw(*, x, eps=1e-5): return layer_norm(x, eps=eps)
        def last(eps, x): return layer_norm(x, eps=eps)
        lam = lambda x: layer_norm(x)
        part = functools.partial(layer_norm, eps=1e-5)
        class Norm:
            def forward(self, x): return layer_norm(x)
            @staticmethod
            def call(x, eps=1e-5): return layer_norm(x, eps=eps)
        class Many:
            def __init__(self, d, heads, rate): pass
            def __call__(self, x): return x
        """,
    "syntax.py": "def f(x:\n    return x\n",
    "quits.py": "import sys\nsys.exit(3)\n",
    "leaves.py": "import os\nos._exit(7)\n",
    "raises.py": 'raise RuntimeError("first\\nsecond")\n',
    "tensors.py": "import a_package_that_is_absent\ndef f(x): return x\n",
    "prints.py": "print('hello')\nfrom good import layer_norm\n",
    "empty.py": "",
    "null.py": "\0",
    "book.ipynb": "{}",
    "compiled.pyc": "",
    "a b/my norm.py": "import numpy as np\ndef f(x): return x\n",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    from textwrap import dedent

    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(dedent(text).lstrip("\n"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    return tmp_path


class Terminal:
    """Runs a command line in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, *words: str) -> SimpleNamespace:
        self.capsys.readouterr()
        code = main(words)
        out, err = self.capsys.readouterr()
        return SimpleNamespace(code=code, out=out, err=err, said=" ".join((out + err).split()))


@pytest.fixture
def lnsym(folder: Path, capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(capsys)


# ---------------------------------------------------------------- bad input: what came, what was expected, what to do

GOOD = "good.py:layer_norm"
BAD_SUBJECTS = [
    (None, "expected what to audit: lnsym audit mynorm.py:layer_norm"),
    ("", "Nothing to audit. Give a file and its function"),
    ("mynorm.py", "Which function? mynorm.py defines layer_norm, rms_norm. Try `lnsym audit mynorm.py:layer_norm`"),
    ("mynorm", "Which function? mynorm.py defines layer_norm, rms_norm. Try `lnsym audit mynorm.py:layer_norm`"),
    ("mynorm.layer_norm", "A colon stands between module and function: `lnsym audit mynorm.py:layer_norm`"),
    ("mynorm.py::layer_norm", "has two colons. Give FILE.py:NAME, with one: `lnsym audit mynorm.py:layer_norm`"),
    ("mynorm.py:layernorm", 'mynorm.py has no "layernorm". Did you mean "layer_norm"?'),
    ("mynorm.py:zzz", 'mynorm.py has no "zzz". It defines layer_norm, rms_norm'),
    ("mynrom.py:layer_norm", "No file mynrom.py. Did you mean mynorm.py?"),
    ("absent.py:layer_norm", "No file absent.py."),
    ("absent_module", "No file and no module absent_module. Give FILE.py:NAME, package.module:NAME or FILE.onnx"),
    ("absent_module:f", "No module absent_module, looked for from here and in this Python."),
    (r"C:\Users\me\mynorm.py:layer_norm", r"No file C:\Users\me\mynorm.py."),
    ("a b", "a b is a folder. Give a file in it: `lnsym audit a b/FILE.py:NAME`. It holds my norm.py"),
    ("book.ipynb:f", "book.ipynb is a notebook. Call lnsym.audit(layer_norm) in it, or save the function in a file"),
    ("compiled.pyc:f", "compiled.pyc is neither a Python file (.py) nor an ONNX file (.onnx)"),
    ("empty.py", "empty.py defines no function and no class that could be audited"),
    ("null.py:f", "null.py does not parse: source code string cannot contain null bytes"),
    ("syntax.py:f", "syntax.py does not parse: line 1: '(' was never closed"),
    ("quits.py:f", "quits.py ends the program when it is imported at line 2. Put that under `if __name__"),
    ("leaves.py:f", "leaves.py:f cannot be loaded: the process ended with exit code 7"),
    ("raises.py:f", "raises.py cannot be imported at line 1: RuntimeError: first second"),
    ("odd.py:EPS", "odd.py:EPS is of type float, not a function."),
    ("odd.py:opaque", "cannot tell a, e apart. Say: `--map x=h,weight=a,bias=b,eps=e`"),
    ("odd.py:no_input", "odd.py:no_input takes no input; give a function of x, weight, bias, eps"),
    ("odd.py:Norm.forward", "is a method, which needs an instance: audit its class, `lnsym audit odd.py:Norm`"),
    ("odd.py:Many", "odd.py:Many needs heads, rate to be made, which is not known here; give a function that makes it"),
    ("odd.py:lam()", '"lam()" is not a name.'),
]


@pytest.mark.parametrize(("subject", "message"), BAD_SUBJECTS)
def test_a_subject_that_cannot_be_read(lnsym: Terminal, subject: str | None, message: str) -> None:
    found = lnsym("audit", *([] if subject is None else [subject]))
    assert (found.code, found.out) == (2, "")
    assert message in found.said
    assert "Traceback" not in found.err


def test_a_package_that_is_absent_is_no_fault_of_the_subject(lnsym: Terminal) -> None:
    found = lnsym("audit", "tensors.py:f")
    assert found.code == 4
    assert "tensors.py needs a_package_that_is_absent, missing from this Python. Nothing was audited." in found.said


BAD_OPTIONS = [
    ("--eps -1e-5", "eps: expected a number > 0, got -1e-05"),
    ("--eps 0", "eps: expected a number > 0, got 0.0; with eps = 0 a layer norm is defined only where the row varies"),
    ("--eps nan", "eps: expected a number > 0, got nan"),
    ("--eps inf", "eps: expected a finite number > 0, got inf"),
    ("--eps much", "Invalid value for '--eps'"),
    ("--axis x", "--axis 'x': expected an integer, or several separated by commas, as in -1 or 1,2"),
    ("--axis 0.5", "--axis '0.5': expected an integer"),
    ("--axis 1,1", "--axis 1,1: expected different axes"),
    ("--axis 0,-1", "all counted from one end"),
    ("--axis 99", "--axis 99: expected axes from -8 to 7"),
    ("--dtype float128", "--dtype float128: expected one of float64, float32, float16, bfloat16"),
    ("--time-limit 0", "--time-limit 0: expected a number of seconds > 0"),
    ("--time-limit nan", "--time-limit nan: expected a number of seconds > 0"),
    ("--time-limit 1e400", "--time-limit inf: expected a number of seconds > 0, at most 86400"),
    ("--seed -1", "Invalid value for '--seed'"),
    ("--only V99", "there is no check V99; did you mean"),
    ("--only LN101", "--only LN101: this is a mistake, not a check such as V01"),
    ("--expect-fail V01", "--expect-fail V01: expected ID=reason"),
    ("--expect-fail =why", "--expect-fail =why: expected ID=reason"),
    ("--expect-fail V99=why", "there is no check V99"),
    ("--map gamma=h", 'there is no word "gamma"'),
    ("--map x=zzz", 'good.py:layer_norm has no parameter "zzz". It has h, gamma, beta, eps.'),
    ("--map x=9", "good.py:layer_norm has 4 parameters, counted from 0"),
    ("--map x", '--map: cannot read "x"; write `--map x=h,weight=a`'),
    ("--map weight=h", "takes no input with this --map; say which of its parameters is x"),
    ("--case nonsense", "expected a check and a number, as in V01.0"),
    ("--case V01.99", "V01 has fewer inputs for this subject"),
    ("--case V01.0 --html a.html", "--html shows a whole audit: leave --case away, or --html"),
    ("--grad zzz", 'good.py has no "zzz". It defines'),
    ("--grad good.py:of_dy", "must take dy and x; name its parameters dy, x, weight, eps"),
    ("--framework theano", "Invalid value for '--framework'"),
]


@pytest.mark.parametrize(("options", "message"), BAD_OPTIONS)
def test_an_option_that_cannot_be_right(lnsym: Terminal, options: str, message: str) -> None:
    found = lnsym("audit", GOOD, *options.split(" "))
    assert (found.code, found.out) == (2, "")
    assert message in found.said


def test_a_map_that_takes_the_place_of_a_required_argument(lnsym: Terminal) -> None:
    found = lnsym("audit", "mynorm.py:layer_norm", "--map", "x=bias")
    assert found.code == 2
    assert "x has no default, and --map says x=bias. Say what x is, or take `x=bias` away" in found.said


def test_a_half_format_without_its_package(lnsym: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["lnsym.audit.asked"], "find_spec", lambda _: None)  # lnsym.audit is the function
    found = lnsym("audit", GOOD, "--dtype", "bfloat16")
    assert found.code == 4
    assert "--dtype bfloat16 needs ml_dtypes, missing from this Python. Nothing was audited. `pip install ml_dtypes`" in found.said


BAD_VALUES = [
    ({"eps": "a"}, "eps: expected a number > 0, got 'a'"),
    ({"seed": -1}, "seed: expected a whole number >= 0, got -1"),
    ({"axis": 1.5}, "--axis 1.5: expected an integer"),
    ({"axis": ()}, "expected axes from -8 to 7"),
    ({"time_limit": True}, "expected a number of seconds"),
    ({"mapping": 3}, "mapping: expected text such as"),
    ({"grad": 3}, "grad: expected a function or text such as"),
]


@pytest.mark.parametrize(("options", "message"), BAD_VALUES)
def test_a_value_that_cannot_be_right_in_python(options: dict[str, object], message: str) -> None:
    with pytest.raises(LnsymError, match=message.replace("(", r"\(")):
        audit(lambda x: x, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("subject", [3, None, ["layer_norm"]])
def test_a_subject_that_is_none_in_python(subject: object) -> None:
    with pytest.raises(LnsymError, match=r"expected a function, class or module, or text such as .* got an object of type"):
        audit(subject)  # type: ignore[arg-type]


# ---------------------------------------------------------------- results

ONE = ("--only", "V01", "--dtype", "float64")


@pytest.mark.parametrize("name", ["kw", "last", "lam", "part", "star", "Norm", "Norm.call"])
def test_every_kind_of_callable_is_taken(lnsym: Terminal, name: str) -> None:
    found = lnsym("audit", f"odd.py:{name}", *ONE)
    assert found.code == 0, found.said


@pytest.mark.parametrize(
    ("name", "code", "message"),
    [
        ("row", "LN403", "for an input of shape (1, 2) it returned (1,); expected (1, 2)"),
        ("none", "LN404", "got None: is a return missing?"),
        ("text", "LN404", "expected an array of numbers of shape (1, 2), got a str"),
        ("pieces", "LN404", "got a generator; give a function that returns the whole array"),
        ("later", "LN404", "got a coroutine, as of an async function; give a plain one that runs it"),
        ("last_of_three", "LN404", "got a tuple; give a function that returns y alone, or y first"),
        ("stops", "LN420", "ValueError: no way"),
    ],
)
def test_a_subject_that_answers_no_array(lnsym: Terminal, name: str, code: str, message: str) -> None:
    found = lnsym("audit", f"odd.py:{name}")
    assert found.code == 1
    assert f"FAIL {code}" in found.said
    assert message in found.said
    assert "79 it does not answer an ordinary call" in found.said


def test_a_refused_call_is_told_with_its_shapes_and_another_axis_that_is_not(lnsym: Terminal) -> None:
    found = lnsym("audit", "odd.py:images")
    assert found.code == 1
    assert "note it was called with x of shape (2, 4), weight of shape (4,), where it needs them" in found.said
    assert "note it answers inputs of 4 axes along axis 1; if that is the axis that it normalizes: --axis 1" in found.said
    assert lnsym("audit", "odd.py:images", "--axis", "1", "--dtype", "float64").code == 0
    assert "along axis 1" not in lnsym("audit", "odd.py:stops").said


def test_a_subject_that_hangs_is_given_up_at_once(lnsym: Terminal) -> None:
    started = time.monotonic()
    found = lnsym("audit", "odd.py:hangs", "--time-limit", "0.5")
    assert found.code == 1
    assert time.monotonic() - started < 20  # and not 80 checks times the limit
    assert "no answer within 0.5 s" in found.said
    assert "Reproduce: lnsym audit odd.py:hangs --time-limit 0.5 --case V01.0" in found.said


def test_what_a_failure_says(lnsym: Terminal) -> None:
    found = lnsym("audit", "mynorm.py:layer_norm", "--dtype", "float64")
    assert found.code == 1
    order = [
        "FAIL LN101",
        "Smallest input found: x = ",
        "yours y",
        "exact y",
        "probes match",
        "the rule is weight*(x - mean)/sqrt(var + eps)",
        "Failed checks:",
        "Not run:",
        "no gradient given: add --grad FILE.py:function",
        "Reproduce: lnsym audit mynorm.py:layer_norm",
        "Why: lnsym explain LN101",
        "failed: held",
    ]
    places = [found.said.find(text) for text in order]
    assert -1 not in places, order[places.index(-1)]
    assert places == sorted(places)
    again = next(line for line in found.out.splitlines() if "Reproduce:" in line).split("lnsym ")[1].split()
    assert lnsym(*again).code == 1


def test_the_reasons_of_what_was_not_run_add_up(lnsym: Terminal) -> None:
    found = lnsym("audit", GOOD, "--dtype", "float64")
    assert found.code == 0
    reasons = found.out.partition("  Not run:\n")[2].partition("  note")[0]
    number = int(found.out.rpartition("not run ")[2].split()[0])
    assert sum(int(line[:7]) for line in reasons.splitlines() if line[:7].strip()) == number > 0


def test_no_line_is_wider_than_80_columns(lnsym: Terminal) -> None:
    for words in (("audit", "mynorm.py:layer_norm", "--verbose"), ("audit", GOOD, "--verbose"), ("explain", "LN101"), ("explain", "V01")):
        assert max(map(len, lnsym(*words).out.splitlines())) <= 80


def test_the_arguments_are_told_where_their_names_differ(lnsym: Terminal) -> None:
    assert "args x=h, weight=gamma, bias=beta, eps" in lnsym("audit", GOOD, *ONE).said
    assert "called with (x, weight, bias, eps); --map x=0 says another order" in lnsym("audit", "odd.py:star", *ONE).said
    mapped = lnsym("audit", "odd.py:opaque", *ONE, "--map", "x=h,weight=a,bias=b,eps=e")
    assert mapped.code == 0
    assert "args x=h, weight=a, bias=b, eps=e" in mapped.said


def test_nothing_that_ran_is_undecided(lnsym: Terminal) -> None:
    found = lnsym("audit", GOOD, "--only", "D01")
    assert found.code == 3
    assert "undecided: held 0 · failed 0 · not run 80" in found.said
    assert "1 no gradient given: add --grad FILE.py:function" in found.said
    assert lnsym("audit", GOOD, "--case", "D01.0").code == 3


def test_codes_may_be_small_and_several(lnsym: Terminal) -> None:
    assert "held 2 ·" in lnsym("audit", GOOD, "--only", "v01,V03", "--dtype", " Float64,float64").said
    assert lnsym("audit", GOOD, "--case", "v01.0").said.startswith("V01.0 the output of plain rows: held on this input")
    assert lnsym("explain", "ln101").said == lnsym("explain", "LN101").said


def test_a_known_failure_is_no_failure(lnsym: Terminal) -> None:
    found = lnsym("audit", "mynorm.py:layer_norm", *ONE, "--expect-fail", "v01=by design")
    assert found.code == 0
    assert "known LN101" in found.said
    assert "(expected: by design)" in found.said
    assert "failed 1 (1 as expected)" in found.said
    held = lnsym("audit", GOOD, *ONE, "--expect-fail", "V01=by design")
    assert "V01 was expected to fail (by design) and held" in held.said


def test_gradients_given_by_hand(lnsym: Terminal) -> None:
    gradients = ("--only", "D01,D02", "--dtype", "float64")
    assert "held 2 ·" in lnsym("audit", GOOD, "--grad", "right", *gradients).said
    part = lnsym("audit", GOOD, "--grad", "good.py:only_dx", *gradients)
    assert part.code == 0
    assert "the gradient does not give dweight and dbias, so that could not be checked" in part.said
    none = lnsym("audit", GOOD, "--grad", "good.py:forgets", *gradients)
    assert none.code == 1
    assert "the gradient forgets gave nothing: expected it to return (dx, dweight, dbias)" in none.said


def test_the_json_of_an_audit(lnsym: Terminal) -> None:
    found = lnsym("audit", "mynorm.py:layer_norm", "--json", "--seed", "7", "--dtype", "float64")
    data = json.loads(found.out)
    assert (found.code, found.err) == (1, "")
    assert data["schema"] == "lnsym.audit/1"
    assert (data["subject"], data["verdict"], data["seed"]) == ("mynorm.py:layer_norm", "failed", 7)
    first = data["diagnosis"][0]
    assert (first["code"], first["explains"]) == ("LN101", first["of"])
    assert first["title"] == "eps is added to the standard deviation, not to the variance"
    assert len(data["checks"]) == 80
    for one in data["checks"]:
        assert {"id", "theorem", "status", "reason", "witness"} <= set(one)
        assert one["status"] in ("held", "failed", "not_run")
        assert (one["witness"] is not None) == (one["status"] == "failed")
        assert one["reason"]
    counts = {status: sum(one["status"] == status for one in data["checks"]) for status in ("held", "failed", "not_run")}
    assert data["counts"] == counts
    assert json.loads(lnsym("audit", "mynorm.py:layer_norm", "--json", "--seed", "7", "--dtype", "float64").out) == data


def test_the_json_of_a_case_and_of_the_list(lnsym: Terminal) -> None:
    case = json.loads(lnsym("audit", "mynorm.py:layer_norm", "--case", "V01.0", "--json").out)
    assert (case["schema"], case["id"], case["status"], case["witness"]["id"]) == ("lnsym.audit-case/1", "V01", "failed", "V01.0")
    listed = json.loads(lnsym("audit", "--list", "--json").out)
    assert len(listed["checks"]) == 80
    assert listed["mistakes"][0] == {"code": "LN101", "title": first_title(lnsym), "kind": "function"}


def first_title(lnsym: Terminal) -> str:
    title: str = json.loads(lnsym("explain", "LN101", "--json").out)["title"]
    return title


def test_why_tol_shows_a_derivation(lnsym: Terminal) -> None:
    assert "How far y may be from the exact answer: float64, d = 4" in lnsym("audit", GOOD, *ONE, "--why-tol").said
    case = lnsym("audit", "mynorm.py:layer_norm", "--case", "V01.0", "--why-tol")
    assert "How far y may be from the exact answer" in case.said


# ---------------------------------------------------------------- what is written


def test_a_page_is_written_beside_the_result(lnsym: Terminal, folder: Path) -> None:
    found = lnsym("audit", GOOD, *ONE, "--html", "audit.html")
    assert found.code == 0
    assert found.out.endswith("wrote audit.html\n")
    assert (folder / "audit.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    both = lnsym("audit", GOOD, *ONE, "--html", "audit.html", "--json")  # its own file may be overwritten
    assert json.loads(both.out)["verdict"] == "held"
    assert both.err == "wrote audit.html\n"


def test_what_is_not_its_own_is_not_overwritten(lnsym: Terminal, folder: Path) -> None:
    (folder / "mine.html").write_text("mine", encoding="utf-8")
    (folder / "link.html").symlink_to("elsewhere.html")
    for name, message in [
        ("mine.html", "mine.html exists and was not written by lnsym audit; name another file, or overwrite it with --force"),
        ("a b", "a b is a folder; name a file in it, such as a b/audit.html"),
        ("absent/a.html", "there is no folder absent; make it first, or name another"),
        ("link.html", "link.html is a link or a device, not a file; name another"),
    ]:
        found = lnsym("audit", GOOD, *ONE, "--html", name)
        assert (found.code, found.out) == (2, "")
        assert message in found.said
    assert (folder / "mine.html").read_text(encoding="utf-8") == "mine"
    assert lnsym("audit", GOOD, *ONE, "--html", "mine.html", "--force").code == 0


def test_a_page_that_cannot_be_written_takes_no_result_away(lnsym: Terminal, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    found = lnsym("audit", GOOD, *ONE, "--html", "audit.html")
    assert found.code == 2
    assert "held: held 1" in found.out
    assert "cannot write audit.html: No space left on device; name another file" in found.err


def test_nothing_is_left_in_the_folder(lnsym: Terminal, folder: Path) -> None:
    before = sorted(folder.rglob("*"))
    lnsym("audit", "prints.py:layer_norm", *ONE)
    assert sorted(folder.rglob("*")) == before


# ---------------------------------------------------------------- terminals


def started(*words: str, folder: Path, **environment: str) -> subprocess.Popen[str]:
    here = str(Path(__file__).parents[2])
    return subprocess.Popen(
        [sys.executable, "-m", "lnsym", *words], cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": here, **environment}, start_new_session=True,
    )  # fmt: skip


def test_a_terminal_without_unicode(folder: Path) -> None:
    for words in (("audit", "mynorm.py:layer_norm", *ONE), ("audit", "--list"), ("explain", "LN101"), ("audit", GOOD, *ONE, "--json")):
        out, err = started(*words, folder=folder, LC_ALL="C", PYTHONIOENCODING="ascii").communicate(timeout=60)
        assert out.isascii()
        assert err == ""
    out, _ = started("audit", GOOD, *ONE, folder=folder, LC_ALL="C", PYTHONIOENCODING="ascii").communicate(timeout=60)
    assert "held: held 1, failed 0, not run 79" in out


def test_colour_only_where_it_is_wanted(folder: Path) -> None:
    words = ("audit", "mynorm.py:layer_norm", *ONE)
    plain, _ = started(*words, folder=folder, NO_COLOR="").communicate(timeout=60)
    coloured, _ = started(*words, folder=folder, NO_COLOR="", FORCE_COLOR="1").communicate(timeout=60)
    none, _ = started(*words, "--no-color", folder=folder, NO_COLOR="", FORCE_COLOR="1").communicate(timeout=60)
    assert "\x1b" not in plain
    assert "\x1b[31m" in coloured
    assert "\x1b" not in none


def test_an_interruption_ends_the_subject_too(folder: Path) -> None:
    text = "import os, pathlib, time\ndef hangs(x):\n    pathlib.Path('pid').write_text(str(os.getpid()))\n    time.sleep(100)\n"
    (folder / "marks.py").write_text(text, encoding="utf-8")
    process, mark = started("audit", "marks.py:hangs", "--time-limit", "50", folder=folder), folder / "pid"
    deadline = time.monotonic() + 30
    while not (mark.exists() and mark.read_text()) and time.monotonic() < deadline:
        time.sleep(0.05)
    child = int(mark.read_text())
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert err.split() == ["lnsym:", "interrupted"]
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)


# ---------------------------------------------------------------- explain


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("LN999", "there is no mistake, check or theorem 'LN999'; `lnsym audit --list` shows all"),
        ("LN1011", "did you mean LN101"),
        ("V1", "did you mean V10, V11, V12?"),
        ("core_eqq", "did you mean core_eq"),
        ("", "there is no mistake, check or theorem ''"),
    ],
)
def test_a_code_that_is_none(lnsym: Terminal, code: str, message: str) -> None:
    found = lnsym("explain", code)
    assert (found.code, found.out) == (2, "")
    assert message in found.said


def test_a_code_is_explained(lnsym: Terminal) -> None:
    mistake = lnsym("explain", "LN101").said
    for text in ("It computes", "Right is", "Why it slips through", "Repair", "Smallest exact witness", "Next: lnsym show"):
        assert text in mistake
    assert "By the theorem core_eq" in lnsym("explain", "V01").said
    assert json.loads(lnsym("explain", "V01", "--json").out)["is"] == "check"
