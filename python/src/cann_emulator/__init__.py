"""An emulator of CANN, the software of Huawei's Ascend NPUs, on the CPU.

Importing this package before `torch` lets `torch_npu` run on the emulator: it loads the emulator's libraries and sets
the variables by which programs find CANN, for this process and those that it starts.

`python -m cann_emulator --help` tells how other programs are started.
"""

import os

from . import _toolkit
from ._version import __version__

__all__ = ["__version__", "path"]


def path():
    """Returns the directory of the toolkit, with `lib64` and `include`."""
    return _toolkit.HOME


os.environ.update(_toolkit.environment(os.environ))
_toolkit.load()
