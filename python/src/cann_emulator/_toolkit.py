"""The directory with the libraries, the variables that lead programs to it, and loading the libraries."""

import ctypes
import os

#: The directory that programs know as the CANN toolkit.
HOME = os.path.join(os.path.dirname(os.path.realpath(__file__)), "toolkit")

#: The directory of the libraries.
LIBRARIES = os.path.join(HOME, "lib64")


def environment(current):
    """Returns the variables that differ from those of `current`, as `set_env.sh` of the toolkit sets them."""
    if ":" in HOME or ";" in HOME:
        raise RuntimeError(
            f"LD_LIBRARY_PATH cannot name {LIBRARIES}: ':' and ';' separate its directories; "
            "install cann-emulator in a directory without them"
        )
    others = [path for path in current.get("LD_LIBRARY_PATH", "").split(":") if path not in ("", LIBRARIES)]
    return {
        "ASCEND_HOME_PATH": HOME,
        "ASCEND_TOOLKIT_HOME": HOME,
        "ASCEND_AICPU_PATH": HOME,
        "ASCEND_OPP_PATH": os.path.join(HOME, "opp"),
        # First, so that libraries of an installed CANN are not found before these.
        "LD_LIBRARY_PATH": ":".join([LIBRARIES, *others]),
    }


def loaded():
    """Returns the paths of the libraries that this process has loaded, by their names."""
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
        paths = {"/" + line.rstrip("\n").partition("/")[2] for line in maps}
    return {os.path.basename(path): path for path in paths}


def load():
    """Loads every library, so that those that are loaded later and need one by its name get it."""
    before = loaded()
    # Each library loads those that it needs, which lie beside it.
    for name in sorted(name for name in os.listdir(LIBRARIES) if name.endswith(".so")):
        path = os.path.join(LIBRARIES, name)
        if name in before and not os.path.samefile(before[name], path):
            raise ImportError(
                f"{before[name]} is already loaded: import cann_emulator before torch and torch_npu, "
                "and without the variables of another CANN toolkit"
            )
        try:
            ctypes.CDLL(path)
        except OSError as error:
            raise ImportError(f"the emulator cannot be loaded on this system: {error}") from error
