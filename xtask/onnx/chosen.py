"""Chooses test cases for the repository, and packs folders of cases into one file.

`cargo xtask onnx --chosen` runs it. Of the cases of operators it takes the smallest ones for each operator, version of the
operator and class of types. A file holds a line `PATH LENGTH` for each file of a case, and the bytes behind it.
"""

import argparse
import collections
from pathlib import Path

import onnx
from onnx import TensorProto

# How many cases of operators are taken, and the most bytes of one and of all.
COUNT, LARGEST, TOTAL = 720, 24_000, 1_500_000
# How many cases in which the package writes an operator as others, as its function does.
EXPANDED = 24

# Cases that cannot pass, by the start of their names.
LEFT_OUT = {
    "test_bernoulli": "the numbers are random",
    "test_training_dropout": "the numbers are random",
    "test_image_decoder": "pictures are not decoded",
}

CLASSES = {
    "float": "FLOAT",
    "double": "DOUBLE",
    "half": "FLOAT16",
    "bfloat": "BFLOAT16",
    "signed": "INT8 INT16 INT32 INT64",
    "unsigned": "UINT8 UINT16 UINT32 UINT64",
    "bool": "BOOL",
    "string": "STRING",
    "complex": "COMPLEX64 COMPLEX128",
}
CLASSES = {TensorProto.DataType.Value(name): group for group, names in CLASSES.items() for name in names.split()}


def class_of(value_type):
    kind = value_type.WhichOneof("value")
    return CLASSES.get(value_type.tensor_type.elem_type, "narrow") if kind == "tensor_type" else kind


def key_of(model):
    """Returns the operators with their versions, and the classes of the types."""
    versions = {opset.domain: opset.version for opset in model.opset_import}
    operators = set()
    for node in model.graph.node:
        if node.op_type != "Constant":
            schema = onnx.defs.get_schema(node.op_type, versions[node.domain], node.domain)
            operators.add((node.domain, node.op_type, schema.since_version))
    ports = [*model.graph.input, *model.graph.output]
    return tuple(sorted(operators)), tuple(sorted({class_of(port.type) for port in ports}))


def files_of(case):
    return sorted(path for path in case.rglob("*") if path.is_file())


def size_of(case):
    return sum(path.stat().st_size for path in files_of(case))


def chosen(folder):
    """Returns the folders of cases: of each key the smallest ones, one after another."""
    keys, expanded = collections.defaultdict(list), {}
    for size, case in sorted((size_of(case), case) for case in folder.iterdir()):
        if any(case.name.startswith(start) for start in LEFT_OUT) or size > LARGEST:
            continue
        plain, is_expanded, _ = case.name.partition("_expanded")
        model = onnx.load((folder / plain if is_expanded else case) / "model.onnx")
        if is_expanded:
            expanded.setdefault(model.graph.node[0].op_type, case)
        else:
            keys[key_of(model)].append(case)
    # Of the operators with the largest functions, which use most other operators.
    most = sorted(expanded.values(), key=lambda case: -len(onnx.load(case / "model.onnx").graph.node))
    taken = most[:EXPANDED]
    total = sum(map(size_of, taken))
    for place in range(max(map(len, keys.values()))):
        for key in sorted(keys):
            if place < len(keys[key]) and len(taken) < COUNT and total + size_of(keys[key][place]) <= TOTAL:
                taken.append(keys[key][place])
                total += size_of(taken[-1])
    return sorted(taken)


def pack(cases, file):
    with file.open("wb") as packed:
        for case in cases:
            for path in files_of(case):
                content = path.read_bytes()
                packed.write(f"{path.relative_to(case.parent)} {len(content)}\n".encode() + content)
    print(f"{len(cases)} cases, {file.stat().st_size} bytes: {file}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--nodes", type=Path, help="the folder with the cases of operators, of which some are chosen")
    parser.add_argument("--all", type=Path, nargs="*", default=[], help="folders with cases, which are all taken")
    parser.add_argument("--out", type=Path, help="the file")
    arguments = parser.parse_args()
    cases = chosen(arguments.nodes) if arguments.nodes else []
    for folder in arguments.all:
        cases += sorted(model.parent for model in folder.glob("*/model.onnx"))
    pack(cases, arguments.out)


if __name__ == "__main__":
    main()
