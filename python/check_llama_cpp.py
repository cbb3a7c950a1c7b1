"""Builds llama.cpp with its backend for CANN on the emulator, runs its tests, and writes numbers into docs/llama_cpp.md.

    python3 python/check_llama_cpp.py                   # fetches the sources, builds them, runs everything
    python3 python/check_llama_cpp.py --build DIR --toolkit DIR     # with a build and a toolkit that exist

Each operator of `test-backend-ops` runs in a process of its own, since the backend ends its process at an error. Then a
small model with random weights generates the same text on the CPU and on the emulator. Needs numpy.
"""

import argparse
import os
import re
import subprocess
import sys
import tarfile
import textwrap
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent / "docs" / "llama_cpp.md"
MARKS = ["<!-- what works -->", "<!-- end of what works -->"]
#: Seconds for all cases of one operator.
LIMIT = 600


def run(*command, **options):
    """Runs a command that must succeed."""
    subprocess.run([str(word) for word in command], check=True, **options)


def built(target, toolkit):
    """Returns the directory of llama.cpp, built in `target`."""
    # This package carries the sources of llama.cpp.
    run(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", "llama-cpp-python",
        "--dest", target, "llama-cpp-python")  # fmt: skip
    archive = sorted(target.glob("llama_cpp_python-*.tar.gz"))[-1]
    with tarfile.open(archive) as archive:
        archive.extractall(target, filter="data")
    sources = sorted(target.glob("llama_cpp_python-*/vendor/llama.cpp"))[-1]
    run("cmake", "-S", sources, "-B", target / "build", "-DCMAKE_BUILD_TYPE=Release", "-DGGML_CANN=ON",
        f"-DCANN_INSTALL_DIR={toolkit}", "-DSOC_TYPE=Ascend910B")  # fmt: skip
    run("cmake", "--build", target / "build", "--target", "test-backend-ops", "llama-simple", "--parallel")
    return target / "build"


def operator(program, name, environment):
    """Returns the results of an operator: how many cases passed and failed, and the first failure."""
    try:
        process = subprocess.run(
            [program, "test", "-b", "CANN0", "-o", name], env=environment, timeout=LIMIT, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace",
        )  # fmt: skip
        text, status = process.stdout, process.returncode
    except subprocess.TimeoutExpired as error:
        text, status = (error.stdout or b"").decode(errors="replace"), f"stopped after {LIMIT} s"
    text = re.sub(r"\x1b\[[0-9;]*m", "", text)
    cases = [line.strip() for line in text.splitlines() if re.match(r"\s*\w+\(.*\): ", line)]
    passed = sum(line.endswith("OK") for line in cases)
    failed = [line for line in cases if line.endswith("FAIL")]
    reason = failed[0] if failed else ""
    if isinstance(status, str) or status < 0:
        # The case that was running when the process ended has no result.
        told = re.search(r"(aclnn\w+|acl\w+): [^\n]*", text)
        last = re.sub(r"0x[0-9a-f]+", "…", told.group(0).partition(";")[0]) if told else (text.strip().splitlines() or [""])[-1]
        reason = f"{status if isinstance(status, str) else f'ended with signal {-status}'} after {passed} cases: {last}"
    return passed, len(failed) + (isinstance(status, str) or status < 0), reason[:220]


def table(results, package):
    """Returns the part of the page about operators."""
    used = {name: row for name, row in results.items() if row[0] or row[1]}
    good = {name: row for name, row in used.items() if not row[1]}
    text = f"With the sources of `{package}`: of {len(used)} operators, all cases of {len(good)} pass that the backend supports, "
    text += f"{sum(row[0] for row in good.values())} cases:\n\n"
    text += textwrap.fill(", ".join(f"`{name}` {row[0]}" for name, row in good.items()), 120, break_long_words=False) + "\n\n"
    text += "| operator | passed | the first failure |\n|---|---|---|\n"
    for name, (passed, failed, reason) in used.items():
        if failed:
            text += f"| `{name}` | {passed} | {reason.replace('|', chr(92) + '|')} |\n"
    return text


def model(path, vendor):
    """Writes a model with random weights: two layers, heads that share keys, and letters as its words."""
    sys.path.insert(0, str(vendor / "gguf-py"))
    import gguf
    import numpy as np

    random = np.random.default_rng(0)
    width, inner, heads, groups, layers = 64, 128, 4, 2, 2
    words = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), *"▁abcdefghijklmnopqrstuvwxyz"]
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(256)
    writer.add_embedding_length(width)
    writer.add_block_count(layers)
    writer.add_feed_forward_length(inner)
    writer.add_head_count(heads)
    writer.add_head_count_kv(groups)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(width // heads)
    writer.add_vocab_size(len(words))
    writer.add_tokenizer_model("llama")
    writer.add_token_list(words)
    writer.add_token_scores([-float(place) for place in range(len(words))])
    writer.add_token_types([2, 3, 3] + [6] * 256 + [1] * (len(words) - 259))
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)

    def weights(name, *shape):
        # In f16, as the backend changes the layout of weights, which CANN does not do with f32.
        writer.add_tensor(name, (random.standard_normal(shape) / shape[-1] ** 0.5).astype(np.float16))

    weights("token_embd.weight", len(words), width)
    weights("output.weight", len(words), width)
    writer.add_tensor("output_norm.weight", np.ones(width, np.float32))
    for layer in range(layers):
        start = f"blk.{layer}."
        for name in ("attn_norm", "ffn_norm"):
            writer.add_tensor(f"{start}{name}.weight", np.ones(width, np.float32))
        for name, rows in (("attn_q", width), ("attn_k", width * groups // heads), ("attn_v", width * groups // heads), ("attn_output", width)):
            weights(f"{start}{name}.weight", rows, width)
        for name, rows, columns in (("ffn_gate", inner, width), ("ffn_up", inner, width), ("ffn_down", width, inner)):
            weights(f"{start}{name}.weight", rows, columns)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def generated(build, path, layers, environment):
    """Returns the text that the model generates with so many layers on the emulator, or the failure."""
    command = [build / "bin" / "llama-simple", "-m", path, "-n", "32", "-ngl", str(layers), "hello"]
    process = subprocess.run(command, env=environment, capture_output=True, timeout=LIMIT)
    if process.returncode:
        errors = process.stderr.decode(errors="replace")
        told = re.search(r"(aclnn\w+|acl\w+): [^\n]*", errors)
        return None, told.group(0) if told else errors.strip().splitlines()[-1]
    return process.stdout, None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, help="a directory where llama.cpp is built")
    parser.add_argument("--toolkit", type=Path, help="a directory made by cargo xtask toolkit")
    parser.add_argument("--only", help="test only this operator, and write no page")
    arguments = parser.parse_args()
    target = Path(os.environ.get("CARGO_TARGET_DIR", HERE.parent / "target")) / "llama_cpp"
    target.mkdir(parents=True, exist_ok=True)
    toolkit = arguments.toolkit or target / "toolkit"
    if not arguments.toolkit:
        run("cargo", "xtask", "toolkit", "--out", toolkit, cwd=HERE.parent)
    build = arguments.build or built(target, toolkit.resolve())
    cache = (build / "CMakeCache.txt").read_text()
    vendor = Path(re.search(r"CMAKE_HOME_DIRECTORY:INTERNAL=(.*)", cache).group(1))
    environment = {**os.environ, "ASCEND_TOOLKIT_HOME": str(toolkit), "LD_LIBRARY_PATH": str(toolkit.resolve() / "lib64")}
    environment["CANN_STUBS_LEAKS"] = "off"

    path = target / "random.gguf"
    if not arguments.only:
        model(path, vendor)
    program = build / "bin" / "test-backend-ops"
    names = [arguments.only]
    if not arguments.only:
        listed = subprocess.run([program, "--list-ops"], env=environment, check=True, capture_output=True, text=True)
        names = re.findall(r"^\s+([A-Z][A-Z0-9_]+)$", listed.stdout, re.M)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = dict(zip(names, pool.map(lambda name: operator(program, name, environment), names)))
    package = next((part for part in vendor.parts if part.startswith("llama_cpp_python")), "llama.cpp")
    text = table(results, package)
    if arguments.only:
        print(text)
        return
    (expected, failure), (got, failure_here) = (generated(build, path, layers, environment) for layers in (0, 99))
    if failure or failure_here:
        text += f"\nThe random model does not run: {failure or failure_here}\n"
    else:
        same = "the same text" if expected == got else "another text"
        text += f"\nA random model of two layers generates {same} on the emulator as on the CPU, 32 tokens.\n"
    print(text)
    before, rest = PAGE.read_text(encoding="utf-8").split(MARKS[0])
    PAGE.write_text(f"{before}{MARKS[0]}\n{text}{MARKS[1]}{rest.split(MARKS[1])[1]}", encoding="utf-8")


main()
