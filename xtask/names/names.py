"""Compares the public names of tensors in candle, burn and PyTorch with those of this library, and writes docs/names.md.

`cargo xtask names` runs it with the packages of requirements.txt. The names of PyTorch come from `dir` of its class and its
module of functions, those of candle and burn from the sources that `cargo fetch` brings, ours from the documentation that
rustdoc writes as JSON. What has another name here stands in answers.txt.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
CRATES = {"candle-core": "0.11.1", "burn-tensor": "0.22.1"}


def sources():
    """Returns the folders of the sources of the crates."""
    with tempfile.TemporaryDirectory() as directory:
        needs = "".join(f'{name} = {{ version = "={version}", default-features = false }}\n' for name, version in CRATES.items())
        Path(directory, "Cargo.toml").write_text(
            f'[package]\nname = "names"\nversion = "0.0.0"\nedition = "2021"\n[lib]\npath = "lib.rs"\n[dependencies]\n{needs}'
        )
        Path(directory, "lib.rs").touch()
        metadata = subprocess.run(
            ["cargo", "metadata", "--format-version", "1"], cwd=directory, check=True, capture_output=True, text=True
        )
    return {p["name"]: Path(p["manifest_path"]).parent / "src" for p in json.loads(metadata.stdout)["packages"]}


def candle(source):
    """Returns the public methods in the blocks `impl Tensor`."""
    names = set()
    for file in source.rglob("*.rs"):
        for block in re.findall(r"^impl Tensor \{\n(.*?)^\}", file.read_text(), re.S | re.M):
            names |= set(re.findall(r"^    pub fn ([a-z]\w*)", block, re.M))
    # Functions that a macro makes.
    macros = (source / "tensor.rs").read_text()
    names |= set(re.findall(r"^\s+(?:unary_op|binary_op|binary_op_scalar|broadcast_binary_op)!\((\w+)", macros, re.M))
    return names


def burn(source):
    """Returns the public methods of tensors, by element type or for all, and the functions of modules."""
    names = set()
    for file in (source / "tensor" / "api").glob("*.rs"):
        if file.name not in ("check.rs", "transaction.rs", "options.rs", "extension.rs"):
            names |= set(re.findall(r"^    pub (?:async )?fn ([a-z]\w*)", file.read_text(), re.M))
    for file in [source / "tensor" / "module.rs", *(source / "tensor" / "activation").glob("*.rs")]:
        names |= set(re.findall(r"^pub fn ([a-z]\w*)", file.read_text(), re.M))
    return names


def pytorch():
    import torch
    import torch.nn.functional as functional

    def public(names):
        return {name for name in names if not name.startswith("_")}

    functions = {
        name
        for name in public(dir(functional))
        if callable(getattr(functional, name)) and not isinstance(getattr(functional, name), type) and name[0].islower()
    }
    return torch.__version__.split("+")[0], public(dir(torch.Tensor)), functions


def ours():
    """Returns our methods and functions, and the other names by which the search of the documentation finds them."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"), "names")
    command = "cargo rustdoc --quiet --package aclnn --all-features --locked".split()
    json_output = ["--", "-Z", "unstable-options", "--output-format", "json"]
    environment = {**os.environ, "RUSTC_BOOTSTRAP": "1", "CARGO_TARGET_DIR": str(target)}
    subprocess.run([*command, *json_output], cwd=ROOT, check=True, env=environment)
    document = json.loads((target / "doc" / "aclnn.json").read_text())
    index = document["index"]
    methods, functions, aliases = set(), set(), {}

    def noted(item, shown):
        for attribute in item["attrs"]:
            for alias in re.findall(r'alias = \\?"([^"\\]+)', json.dumps(attribute)):
                aliases.setdefault(alias, shown)

    def module(item):
        for child in item["inner"]["module"]["items"]:
            child = index[str(child)]
            kind, inner = next(iter(child["inner"].items()))
            if kind == "use" and inner["is_glob"] and str(inner["id"]) in index:
                module(index[str(inner["id"])])
            elif kind == "use":
                child = index.get(str(inner["id"]), {"inner": {}, "attrs": []})
            if "function" in child["inner"]:
                functions.add(child["name"])
                noted(child, f"ops::{child['name']}")

    for item in index.values():
        if item["name"] == "Tensor" and "struct" in item["inner"]:
            for block in (index[str(block)]["inner"]["impl"] for block in item["inner"]["struct"]["impls"]):
                for method in () if block["trait"] else (index[str(method)] for method in block["items"]):
                    if method["visibility"] == "public":
                        methods.add(method["name"])
                        takes = method["inner"]["function"]["sig"]["inputs"]
                        noted(method, ("x." if takes and takes[0][0] == "self" else "Tensor::") + method["name"])
        if item["name"] == "ops" and "module" in item["inner"]:
            module(item)
    return methods, functions, aliases


def answers(methods, functions):
    """Reads answers.txt; every method and function of ours that an answer names must be there."""
    found, reason = {}, ""
    for line in (HERE / "answers.txt").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        names, answer = line.split(" = ", 1)
        library, names = names.split(": ", 1) if ": " in names else ("", names)
        for owner, name in re.findall(r"\b(x|y|grad|Tensor|ops)(?:\.|::)([a-z]\w*)", answer):
            known = functions if owner == "ops" else methods
            if name not in known:
                sys.exit(f"answers.txt names {owner}.{name}, which does not exist: {line}")
        for name in names.split():
            found[library, name] = answer
    return found


def main():
    methods, functions, aliases = ours()
    known = answers(methods, functions)
    crates = sources()
    version, tensor, functional = pytorch()
    lists = [
        ("candle", f"candle {CRATES['candle-core']}", candle(crates["candle-core"])),
        ("burn", f"burn {CRATES['burn-tensor']}", burn(crates["burn-tensor"])),
        ("torch", f"PyTorch {version}, `torch.Tensor`", tensor),
        ("functional", f"PyTorch {version}, `torch.nn.functional`", functional),
    ]
    counts, parts, missing = [], [], []
    for key, title, names in lists:
        rows, same, lacks = {}, 0, []
        for name in sorted(names):
            base = name.removesuffix("_")
            if (key, name) in known or ("", name) in known:
                rows.setdefault(known.get((key, name)) or known["", name], []).append(name)
            elif name in methods or name in functions:
                same += 1
            elif name in aliases:
                rows.setdefault(f"`{aliases[name]}`", []).append(name)
            elif name != base and f"{base}_in_place" in methods:
                rows.setdefault("`x." + "NAME" + "_in_place`", []).append(name)
            elif name != base and ("", base) in known:
                rows.setdefault(known["", base], []).append(name)
            elif name != base and (base in functions or base in aliases):
                rows.setdefault("no form in place: `run_into` writes the result of a function of `ops` to any tensor", []).append(name)
            else:
                lacks.append(name)
        other = sum(map(len, rows.values()))
        counts.append(f"| {title} | {len(names)} | {same} | {other} | {len(lacks)} |")
        missing += [f"{key}: {name}" for name in lacks]
        table = "\n".join(
            f"| {', '.join(f'`{name}`' for name in found)} | {answer.replace('|', chr(92) + '|')} |"
            for answer, found in sorted(rows.items(), key=lambda row: row[1])
        )
        parts.append(f"## {title}\n\n| there | here |\n|---|---|\n{table}\n")
    page = (HERE / "page.md").read_text().replace("COUNTS", "\n".join(counts)).replace("PARTS", "\n".join(parts))
    (ROOT / "docs" / "names.md").write_text(page.replace("`x.NAME_in_place`", "the name without `_`, with `_in_place`: `x.exp_in_place()`"))
    if missing:
        print("names without an answer, for answers.txt or an alias:\n  " + "\n  ".join(missing))
        sys.exit(1)


main()
