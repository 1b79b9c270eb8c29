"""A subject in a process of its own: what it does there is a result, and the audit goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from lnsym.audit import child, subjects, wire
from lnsym.audit.call import Array, Call
from lnsym.audit.child import PATIENCE, Child, Forked
from lnsym.audit.session import Here, Session
from lnsym.audit.subject import SubjectError, SubjectFailed
from tests.audit.subjects import hostile
from tests.audit.subjects.conftest import Open, rows

FILE = Path(hostile.__file__)
X = rows(3, 6)
LIMIT = 5.0  # of a call that does not hang: far more than it needs

Opener = Callable[..., Session]


@pytest.fixture(params=["a fresh process", "a copy"])
def of(request: pytest.FixtureRequest, opened: Open, monkeypatch: pytest.MonkeyPatch) -> Opener:
    """Opens a hostile function in either kind of process."""

    def open_one(name: str, limit: float = LIMIT) -> Session:
        if request.param == "a copy":
            monkeypatch.setattr(subjects, "_UNFORKABLE", ())  # another test may have loaded them here; these subjects use NumPy alone
            session = opened(getattr(hostile, name), time_limit=limit)
            assert isinstance(session.runner, Forked)
        else:
            session = opened(f"{FILE}:{name}", time_limit=limit)
            assert isinstance(session.runner, Child)
        return session

    return open_one


QUIET = {  # these do no harm to the answer
    "right": "",
    "prints": "hello (3, 6)\n",
    "prints_in_c": "from C\n",
    "prints_a_lot": "y" * 2000,
    "goes_elsewhere": "",
    "changes_numpy": "",
    "closes_its_output": "",
    "starts_a_process": "",
    "takes_modules_away": "",
}


@pytest.mark.many(3)
@pytest.mark.parametrize("name", QUIET)
def test_a_subject_that_disturbs_is_still_answered_for(of: Opener, name: str) -> None:
    session = of(name)
    assert np.abs(session.forward(Call(X)) - hostile.right(X)).max() < 1e-15
    assert session.printed == QUIET[name]
    assert np.sqrt(4.0) == 2.0
    assert Path.cwd() != Path("/")


FAILED = {
    "raises": ("raised", "ValueError: two lines"),
    "asks": ("raised", "EOFError: EOF when reading a line"),
    "recurses": ("raised", "RecursionError: maximum recursion depth exceeded"),
    "wants_too_much": ("raised", "MemoryError: Unable to allocate"),
    "gives_nothing": ("type", "got None: is a return missing?"),
    "gives_text": ("type", "expected an array of numbers of shape (3, 6), got a str"),
    "gives_complex": ("type", "got ndarray of complex128"),
    "gives_objects": ("type", "expected an array of numbers, got an array of object"),
    "gives_a_generator": ("type", "expected an array of numbers, got a generator"),
    "gives_a_function": ("type", "expected an array of numbers, got a function"),
    "gives_means": ("shape", "for an input of shape (3, 6) it returned (3,); expected (3, 6)"),
    "kills_itself": ("crashed", "the process ended with signal 9 (SIGKILL)"),
    "reads_address_0": ("crashed", "the process ended with signal 11 (SIGSEGV)"),
    "aborts": ("crashed", "the process ended with signal 6 (SIGABRT): kernel.c:12: width must be even"),
    "exits": ("crashed", "the process ended with exit code 3"),
    "ends_at_once": ("crashed", "the process ended with exit code 5"),
    "interrupts": ("crashed", "the process ended with exit code 1: KeyboardInterrupt"),
    "closes_everything": ("crashed", "the process ended with exit code 1"),
}


@pytest.mark.many(4)
@pytest.mark.parametrize("name", FAILED)
def test_a_subject_that_fails_is_said_to_fail_every_time(of: Opener, name: str) -> None:
    session = of(name)
    for _ in range(2):
        with pytest.raises(SubjectFailed) as error:
            session.forward(Call(X))
        kind, message = FAILED[name]
        assert error.value.kind == kind
        assert message in str(error.value)


@pytest.mark.many(2)
@pytest.mark.parametrize("name", ["hangs", "hangs_in_c"])
def test_a_subject_that_hangs_is_ended(of: Opener, name: str) -> None:
    session = of(name, 0.3)
    started = time.monotonic()
    for _ in range(PATIENCE + 100):
        with pytest.raises(SubjectFailed) as error:
            session.forward(Call(X))
        assert (error.value.kind, str(error.value)) == ("hung", "no answer within 0.3 s")
    assert time.monotonic() - started < 20  # and not PATIENCE + 100 times the limit and a start


def test_a_slow_subject_is_waited_for(of: Opener) -> None:
    session = of("is_slow", 3)
    session.forward(Call(X))
    assert 0.2 <= session.seconds < 3


def test_a_list_is_taken_as_the_session_takes_it(of: Opener) -> None:
    assert np.abs(of("gives_a_list").forward(Call(X)) - hostile.right(X)).max() < 1e-15


def test_writes_and_shared_memory_are_seen(of: Opener) -> None:
    session = of("writes")
    session.forward(Call(X))
    assert list(session.changed) == ["x"]
    session = of("in_place")
    assert np.abs(session.forward(Call(X)) - hostile.right(X)).max() < 1e-15
    assert list(session.changed) == list(session.shared) == ["x"]


def test_a_result_that_the_next_call_overwrites_changes_here_as_there(of: Opener) -> None:
    session = of("reuses_its_result")
    first = session.forward(Call(X))
    before = first.copy()
    session.forward(Call(rows(3, 6, seed=1)))
    assert (first != before).all()
    session = of("right")
    first = session.forward(Call(X))
    session.forward(Call(rows(3, 6, seed=1)))
    assert (first == hostile.right(X)).all()


def test_large_arrays_travel(of: Opener) -> None:
    x = rows(1000, 1000)
    assert of("right").forward(Call(x)).tobytes() == hostile.right(x).tobytes()


def test_the_layout_of_the_input_arrives(opened: Open) -> None:
    def strides(x: Array) -> Array:
        return np.full(x.shape, x.strides[0] if x.flags.writeable else -1.0)

    session = opened(strides)
    assert session.forward(Call(rows(6, 8)[::2])).flat[0] == 128
    assert session.forward(Call(np.broadcast_to(rows(8), (3, 8)))).flat[0] == -1


def test_an_instance_and_a_closure_live_in_a_copy(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subjects, "_UNFORKABLE", ())
    session = opened(hostile.Random())
    assert isinstance(session.runner, Forked)
    assert (session.forward(Call(X)) != session.forward(Call(X))).any()


def test_without_isolation_it_runs_here(opened: Open) -> None:
    assert isinstance(opened(hostile.right, isolate=False).runner, Here)
    assert isinstance(opened(f"{FILE}:right", isolate=False).runner, Here)


# ---------------------------------------------------------------- loading


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("import os; os._exit(4)", "norm.py:f cannot be loaded: the process ended with exit code 4"),
        ("import os; os.kill(os.getpid(), 9)", "norm.py:f cannot be loaded: the process ended with signal 9 (SIGKILL)"),
        ("import sys; sys.exit(4)", "norm.py ends the program when it is imported at line 1."),
        ("import argparse\nargparse.ArgumentParser().parse_args(['--x'])", "norm.py ends the program when it is imported at line 2."),
        ("while True: pass", "norm.py:f was not loaded within 0.4 s: what does it do when it is imported?"),
        ("1 / 0", "norm.py cannot be imported at line 1: ZeroDivisionError: division by zero"),
        ("def f(h, a, b, e): ...", "norm.py:f: cannot tell a, e apart. Say: `--map x=h,weight=a,bias=b,eps=e`"),
        ("class f:\n    def __init__(self, d): 1 / 0", "norm.py:f: making one of width 64 raised ZeroDivisionError: division by zero"),
        ("class f:\n    def __init__(self, d): pass", "norm.py:f makes a f, which cannot be called: it has neither __call__ nor forward"),
        ("def f(): pass", "norm.py:f takes no input"),
    ],
)
def test_a_file_that_cannot_be_loaded_is_bad_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opened: Open, source: str, message: str
) -> None:
    monkeypatch.setattr(child, "LOAD_LIMIT", 0.4 if "while" in source else 20.0)
    monkeypatch.chdir(tmp_path)
    Path("norm.py").write_text(f"{source}\n", encoding="utf-8")
    with pytest.raises(SubjectError) as error:
        opened("norm.py:f")
    assert message in str(error.value)


def test_what_is_printed_while_loading_disturbs_nothing(tmp_path: Path, opened: Open) -> None:
    (tmp_path / "norm.py").write_text("print('x' * 100000)\ndef f(x):\n    return x\n", encoding="utf-8")
    session = opened(f"{tmp_path}/norm.py:f")
    session.forward(Call(X))
    assert session.printed == ""
    assert not (tmp_path / "__pycache__").exists()


def test_a_file_of_this_folder_does_not_take_the_place_of_the_standard_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opened: Open
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("socket", "pickle", "numpy"):
        Path(f"{name}.py").write_text("1 / 0\n", encoding="utf-8")
    Path("norm.py").write_text("def f(x):\n    return x\n", encoding="utf-8")
    assert (opened("norm.py:f").forward(Call(X)) == X).all()


# ---------------------------------------------------------------- leaving nothing behind


def _open_files() -> int:
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts files by /proc")
def test_no_file_and_no_process_is_left(of: Opener) -> None:
    before = _open_files()
    for name in ("right", "kills_itself", "hangs", "closes_everything", "starts_a_process"):
        session = of(name, 0.3)
        for _ in range(2):
            session.runner.ask("forward", (Call(X),))
        session.runner.close()
        session.runner.close()
    assert _open_files() == before


def test_what_the_subject_started_ends_with_it(tmp_path: Path, opened: Open) -> None:
    forks = "    if os.fork() == 0:\n        open(MARK, 'w').write(str(os.getpid()))\n        time.sleep(1000)\n"
    source = f"import os, time\nMARK = {str(tmp_path / 'pid')!r}\ndef f(x):\n{forks}    return x\n"
    (tmp_path / "norm.py").write_text(source, encoding="utf-8")
    session = opened(f"{tmp_path}/norm.py:f")
    session.forward(Call(X))
    _wait_for(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text() != "")
    pid = int((tmp_path / "pid").read_text())
    session.runner.close()
    _wait_for(lambda: not _runs(pid))


def test_ctrl_c_ends_both(tmp_path: Path) -> None:
    source = (
        "import sys\nfrom lnsym.audit.subjects import open_subject\nfrom lnsym.audit.call import Call\nimport numpy as np\n"
        f"runner = open_subject({str(FILE) + ':hangs'!r})\nprint(runner._link._process.pid, flush=True)\n"
        "runner.ask('forward', (Call(np.ones((2, 3))),))\n"
    )
    with subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as audit:
        assert audit.stdout is not None
        pid = int(audit.stdout.readline())
        time.sleep(0.3)
        audit.send_signal(signal.SIGINT)
        assert audit.wait(timeout=60) != 0
    _wait_for(lambda: not _runs(pid))


def test_the_end_of_the_audit_ends_an_idle_subject() -> None:
    source = (
        f"import os\nfrom lnsym.audit.subjects import open_subject\nrunner = open_subject({str(FILE) + ':right'!r})\n"
        "print(runner._link._process.pid, flush=True)\nos._exit(0)\n"
    )
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, timeout=120)
    _wait_for(lambda: not _runs(int(done.stdout)))


def _runs(pid: int) -> bool:
    """Whether a process is there and not only waiting to be reaped by somebody else."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def _wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


# ---------------------------------------------------------------- cost


def test_the_child_imports_neither_the_oracle_nor_sympy_nor_a_framework() -> None:
    source = "import sys\nimport lnsym.audit.serve, lnsym.audit.subjects.numpy\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, timeout=120)
    modules = set(done.stdout.split())
    assert "lnsym.audit.serve" in modules
    heavy = {"sympy", "lnsym.oracle", "lnsym.kernel", "torch", "jax", "onnx", "onnxruntime", "ml_dtypes", "click", "subprocess"}
    assert not modules & heavy


def test_a_message_of_a_call_is_small() -> None:
    assert len(wire.dumps(("forward", (Call(X),)))) < X.nbytes + 400
