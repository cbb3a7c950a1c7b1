"""Packs a toolkit of the emulator and the package `cann_emulator` into a wheel, with Python's own library alone.

    cargo xtask toolkit --out toolkit --wheel dist       # calls: python3 python/wheel.py VERSION toolkit dist

The wheel needs no compiler and no network to be made or installed. Its name tells the processor and the oldest C
library that its libraries run with.
"""

import base64
import hashlib
import os
import platform
import re
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent

METADATA = """\
Metadata-Version: 2.1
Name: cann-emulator
Version: {version}
Summary: An emulator of CANN on the CPU: programs for Ascend NPUs, and torch_npu, run without an NPU
License: MIT OR Apache-2.0
Requires-Python: >=3.8
Classifier: Operating System :: POSIX :: Linux
Description-Content-Type: text/markdown

{description}"""

WHEEL = """\
Wheel-Version: 1.0
Generator: cann-emulator
Root-Is-Purelib: false
Tag: py3-none-{tag}
"""


def platform_tag(library):
    """Returns the tag for the processor and the newest version of the C library that a library asks for."""
    versions = [int(minor) for minor in re.findall(rb"\0GLIBC_2\.(\d+)(?=[.\0])", library.read_bytes())]
    # Installers know no older version than this one.
    return f"manylinux_2_{max([17, *versions])}_{platform.machine()}"


def entries(version, toolkit, tag, information):
    """Returns the files of the wheel but the last: their names and contents."""
    package = "cann_emulator"
    for source in sorted((HERE / "src" / package).glob("*.py")):
        yield f"{package}/{source.name}", source.read_bytes()
    yield f"{package}/_version.py", f'__version__ = "{version}"\n'.encode()
    for folder, folders, files in os.walk(toolkit):
        folders.sort()
        name = (Path(package) / "toolkit" / Path(folder).relative_to(toolkit)).as_posix()
        for file in sorted(files):
            yield f"{name}/{file}", (Path(folder) / file).read_bytes()
        if not files and not folders:
            # Installers make no empty directories, and torch_npu looks for these.
            yield f"{name}/README", b"Programs look for this directory. The emulator needs nothing in it.\n"
    for licence in ("LICENSE-APACHE", "LICENSE-MIT"):
        yield f"{information}/licenses/{licence}", (HERE.parent / licence).read_bytes()
    description = (HERE / "README.md").read_text(encoding="utf-8")
    yield f"{information}/METADATA", METADATA.format(version=version, description=description).encode()
    yield f"{information}/WHEEL", WHEEL.format(tag=tag).encode()


def main():
    version, toolkit, out = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    out.mkdir(parents=True, exist_ok=True)
    tag = platform_tag(toolkit / "lib64" / "libcann_stubs.so")
    wheel = out / f"cann_emulator-{version}-py3-none-{tag}.whl"
    information = f"cann_emulator-{version}.dist-info"
    record = []
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:

        def add(name, contents):
            # With one time for all, so that the same contents make the same wheel.
            entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if name.endswith(".so") else 0o644) << 16
            archive.writestr(entry, contents)

        for name, contents in entries(version, toolkit, tag, information):
            digest = base64.urlsafe_b64encode(hashlib.sha256(contents).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(contents)}")
            add(name, contents)
        record.append(f"{information}/RECORD,,")
        add(f"{information}/RECORD", "\n".join(record) + "\n")
    print(wheel)


main()
