"""coalesce: predicts which memory layout of a CUDA kernel's records is fastest.

    import coalesce_cuda
    prediction = coalesce_cuda.predict("nbody.cu", "--machine", "a100")
    for action in prediction.actions:
        print(action.record, action.answer, action.confidence)

Options are those of the command line. Where the program gives no verdict, Error has its messages.
"""
import dataclasses
import json
import os
import subprocess
from typing import Any, Dict, List, Mapping, Optional, Tuple

from coalesce_cuda.version import __version__

__all__ = ["Action", "Error", "Kernel", "Layout", "Message", "Prediction", "compare", "predict", "rewrite", "__version__"]

FOLDER = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.path.join(FOLDER, "bin", "coalesce")


@dataclasses.dataclass(frozen=True)
class Message:
    """What the program said: file, line and column are None where it names no place."""

    severity: str
    message: str
    file: Optional[str] = None
    line: Optional[int] = None
    column: Optional[int] = None


class Error(Exception):
    """The program gave no verdict. messages: why; exit_code: of the program; result: its JSON (schema coalesce/error/1)."""

    def __init__(self, result: Mapping[str, Any]):
        self.result = result
        self.exit_code = int(result.get("exit_code", 70))
        self.messages = [_made(Message, message) for message in result.get("messages", [])]
        super().__init__("; ".join(message.message for message in self.messages))


@dataclasses.dataclass(frozen=True)
class Layout:
    """A layout of one launch. record is None for a kernel without records."""

    record: Optional[str]
    layout: str
    tile: Optional[int]
    time_us: float
    bound: str
    registers: Optional[int]
    occupancy: Optional[float]
    counts: Mapping[str, Any]


@dataclasses.dataclass(frozen=True)
class Kernel:
    """A launch. layouts: as they are ranked in the JSON."""

    name: str
    line: int
    grid: Tuple[int, int, int]
    block: Tuple[int, int, int]
    launches: int
    written: Optional[str]
    recommended: Optional[str]
    confidence: str
    notes: List[str]
    layouts: List[Layout]


@dataclasses.dataclass(frozen=True)
class Action:
    """What to do about one record. rewrite and measure are commands, or None."""

    record: str
    change: bool
    answer: str
    reason: str
    confidence: str
    time_share: float
    saved_us: float
    rewrite: Optional[str]
    measure: Optional[str]


@dataclasses.dataclass(frozen=True)
class Prediction:
    """A program's prediction. result: the object of `coalesce predict --json`, whose members prediction["..."] gives."""

    file: str
    machine: str
    model: str
    actions: List[Action]
    kernels: List[Kernel]
    result: Mapping[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.result[name]


def _made(kind: Any, values: Mapping[str, Any]) -> Any:
    """A dataclass of those members that it has."""
    return kind(**{field.name: values.get(field.name) for field in dataclasses.fields(kind)})


def _kernel(values: Mapping[str, Any]) -> Kernel:
    own = dict(values, grid=tuple(values["grid"]), block=tuple(values["block"]),
               layouts=[_made(Layout, layout) for layout in values["layouts"]])
    return _made(Kernel, own)


def environment() -> Dict[str, str]:
    """Of the program: the CUDA compiler of NVIDIA's wheels where no other is named."""
    own = dict(os.environ)
    wheels = os.path.join(os.path.dirname(FOLDER), "nvidia", "cu13")
    if not any(own.get(name) for name in ("COALESCE_CUDA", "CUDA_HOME", "CUDA_PATH")) and os.path.exists(os.path.join(wheels, "bin", "nvcc")):
        own["COALESCE_CUDA"] = wheels
    return own


def _run(schema: str, *words: str) -> Dict[str, Any]:
    done = subprocess.run([PROGRAM, *words, "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment(), check=False)
    try:
        result = json.loads(done.stdout)
    except ValueError:
        result = {"exit_code": done.returncode, "messages": [{"severity": "error", "message": "coalesce printed no JSON"}]}
    if result.get("schema") != schema:
        raise Error(result)
    return result


def predict(path: str, *options: str) -> Prediction:
    """Ranks the layouts of a file's records."""
    result = _run("coalesce/predict/1", "predict", path, *options)
    return Prediction(result["file"], result["machine"], result["model"], [_made(Action, one) for one in result["program"]["actions"]],
                      [_kernel(one) for one in result["kernels"]], result)


def rewrite(path: str, layout: str, output: str, *options: str) -> Dict[str, Any]:
    """Writes the file with its records in a layout. Returns the object of `coalesce rewrite --json`."""
    return _run("coalesce/rewrite/1", "rewrite", path, "--layout", layout, "-o", output, *options)


def compare(path: str, measured: str, *options: str) -> Dict[str, Any]:
    """Lays measurements beside the prediction. Returns the object of `coalesce compare --json`."""
    return _run("coalesce/compare/1", "compare", path, "--measured", measured, *options)
