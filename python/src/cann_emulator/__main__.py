"""The command `python -m cann_emulator`."""

import argparse
import os
import shlex
import sys

from . import __version__, path
from ._toolkit import environment


def run(command):
    """Replaces this process by a command in the environment of the emulator."""
    if command[:1] == ["--"]:
        command = command[1:]
    if not command:
        sys.exit("python -m cann_emulator run: name the command to start, as in `run -- ./program --flag`")
    sys.stdout.flush()
    try:
        os.execvp(command[0], command)
    except OSError as error:
        # As shells do: 127 where there is no such command, 126 where it cannot be started.
        print(f"python -m cann_emulator run: {command[0]}: {error.strerror}", file=sys.stderr)
        sys.exit(127 if isinstance(error, FileNotFoundError) else 126)


def main():
    parser = argparse.ArgumentParser(
        prog="python -m cann_emulator",
        description="Runs programs that are written for CANN on an emulator, without an NPU.",
        epilog='Python programs need no command: "import cann_emulator" before "import torch" is enough.',
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    commands.add_parser("env", help='print the variables for a shell: eval "$(python -m cann_emulator env)"')
    commands.add_parser("path", help="print the directory of the toolkit, with lib64 and include")
    runner = commands.add_parser("run", help="start a command with these variables: run -- COMMAND ...")
    runner.add_argument("arguments", nargs=argparse.REMAINDER, metavar="-- COMMAND ...")
    arguments = parser.parse_args()
    if arguments.command == "env":
        # Importing the package has set them here; all are printed, since a shell may have changed them since.
        for name, value in environment(os.environ).items():
            print(f"export {name}={shlex.quote(value)}")
    elif arguments.command == "path":
        print(path())
    else:
        run(arguments.arguments)


if __name__ == "__main__":
    main()
