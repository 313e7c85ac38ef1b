"""coalesce: predicts which memory layout of a CUDA kernel's records is fastest.

    import coalesce_cuda
    coalesce_cuda.predict("nbody.cu", "--machine", "a100")["program"]["recommended"]
"""
import json
import os
import subprocess

FOLDER = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.path.join(FOLDER, "bin", "coalesce")


class Error(Exception):
    """What the program said when it could not give a verdict. result: its JSON (schema coalesce/error/1)."""

    def __init__(self, result):
        super().__init__("; ".join(message["message"] for message in result.get("messages", [])))
        self.result = result


def environment():
    """Of the program: the CUDA compiler of NVIDIA's wheels where no other is named."""
    own = dict(os.environ)
    wheels = os.path.join(os.path.dirname(FOLDER), "nvidia", "cu13")
    if not any(own.get(name) for name in ("COALESCE_CUDA", "CUDA_HOME", "CUDA_PATH")) and os.path.exists(os.path.join(wheels, "bin", "nvcc")):
        own["COALESCE_CUDA"] = wheels
    return own


def predict(path, *options):
    """The object that `coalesce predict --json` prints (schema coalesce/predict/1). Raises Error where there is no verdict."""
    done = subprocess.run([PROGRAM, "predict", path, "--json", *options], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment(), check=False)
    result = json.loads(done.stdout)
    if result["schema"] != "coalesce/predict/1":
        raise Error(result)
    return result
