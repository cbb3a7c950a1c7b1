"""Writes models that packages ship as test cases: the inputs are real, and ONNX Runtime computes the outputs.

`cargo xtask onnx --models` runs it. The packages are downloaded without what they depend on, and nothing of them is kept in
the repository. A case is a folder with `model.onnx` and `test_data_set_*`; where a model has a state, `carried.txt` names the
outputs that become inputs of the next set, so that an error would grow with each step.
"""

import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper
from PIL import Image, ImageDraw, ImageFont

PACKAGES = ["magika==1.0.3", "silero-vad==6.2.3", "rapidocr-onnxruntime==1.4.4"]
# Steps of 10 seconds at 16,000 samples a second.
STEPS = 312


def models(folder):
    """Downloads the packages. Returns the files with models, by the name of their package."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder)]
    subprocess.run(command + PACKAGES, check=True)
    found = {}
    for wheel in sorted(folder.glob("*.whl")):
        name = wheel.name.split("-")[0]
        with zipfile.ZipFile(wheel) as archive:
            for file in archive.namelist():
                if file.endswith(".onnx"):
                    found.setdefault(name, []).append(Path(archive.extract(file, folder / name)))
    return found


class Case:
    """A model, and the sets of inputs that ONNX Runtime ran it with."""

    def __init__(self, folder, model, tolerance=""):
        self.folder, self.count = folder, 0
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "model.onnx").write_bytes(model.read_bytes())
        if tolerance:
            (folder / "tolerance.txt").write_text(tolerance)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = 3
        self.session = onnxruntime.InferenceSession(model.read_bytes(), options, providers=["CPUExecutionProvider"])
        initializers = {tensor.name for tensor in onnx.load(model).graph.initializer}
        self.inputs = [port for port in self.session.get_inputs() if port.name not in initializers]

    def run(self, inputs):
        """Adds a set. Returns the outputs by name."""
        outputs = self.session.run(None, inputs)
        names = [port.name for port in self.session.get_outputs()]
        place = self.folder / f"test_data_set_{self.count}"
        place.mkdir(exist_ok=True)
        for kind, values in (("input", [inputs[port.name] for port in self.inputs]), ("output", outputs)):
            for number, value in enumerate(values):
                message = numpy_helper.from_array(np.asarray(value))
                (place / f"{kind}_{number}.pb").write_bytes(message.SerializeToString())
        self.count += 1
        return dict(zip(names, outputs))

    def carry(self, names):
        (self.folder / "carried.txt").write_text("".join(f"{output} {given}\n" for output, given in names.items()))


def magika(folder, files):
    """The type of a file, from its first and last bytes; 256 stands for none."""
    for file in files:
        case = Case(folder / "magika", file, "rtol 0.001\natol 0.0001\n")
        texts = [
            Path(__file__).read_bytes(),
            b"#!/bin/sh\nset -e\nfor f in *.txt; do wc -l \"$f\"; done\n",
            b"{\"name\": \"value\", \"list\": [1, 2, 3], \"nested\": {\"a\": null}}\n",
        ]
        rows = []
        for text in texts:
            row = np.full(2048, 256, np.int32)
            first, last = text[:1024], text[-1024:]
            row[: len(first)] = np.frombuffer(first, np.uint8)
            row[2048 - len(last) :] = np.frombuffer(last, np.uint8)
            rows.append(row)
        case.run({"bytes": np.stack(rows)})
        case.run({"bytes": rows[0][None]})


def sound():
    """Ten seconds of a made voice: harmonics that rise and fall, with pauses, and noise."""
    time = np.arange(STEPS * 512) / 16000
    pitch = 140 + 40 * np.sin(2 * np.pi * 0.7 * time)
    phase = 2 * np.pi * np.cumsum(pitch) / 16000
    voice = sum(np.sin(number * phase) / number for number in range(1, 12))
    loud = np.clip(np.sin(2 * np.pi * 0.35 * time), 0, 1) * (0.6 + 0.4 * np.sin(2 * np.pi * 4 * time))
    noise = np.random.default_rng(0).normal(0, 0.01, time.size)
    return (0.2 * voice * loud + noise).astype(np.float32)


def silero(folder, files):
    """Whether somebody speaks, step by step, with a state."""
    samples = sound().reshape(STEPS, 512)
    before = np.concatenate([np.zeros((1, 64), np.float32), samples[:-1, -64:]])
    windows = np.concatenate([before, samples], 1)
    for file in files:
        case = Case(folder / file.stem, file, "rtol 0.001\natol 0.0001\n")
        ports = {port.name: port for port in case.inputs}
        if "h" in ports:
            # This one takes all steps at once.
            state = np.zeros((1, 1, 128), np.float32)
            case.run({"input": windows, "h": state, "c": state})
            continue
        given = {"state": np.zeros((2, 1, 128), np.float32)}
        if "sr" in ports:
            given["sr"] = np.asarray(16000, np.int64)
        state_name = case.session.get_outputs()[1].name
        for window in windows:
            given["input"] = window[None]
            given["state"] = case.run(given)[state_name]
        case.carry({state_name: "state"})
        if file.stem == "silero_vad":
            # The other rate, in a case of its own.
            case = Case(folder / "silero_vad_8k", file, "rtol 0.001\natol 0.0001\n")
            given = {"state": np.zeros((2, 1, 128), np.float32), "sr": np.asarray(8000, np.int64)}
            for window in windows[:20]:
                given["input"] = window[None, :288]
                given["state"] = case.run(given)[state_name]
            case.carry({state_name: "state"})


def picture(width, height, text):
    """A picture with text, as the models take it: [1, 3, height, width] from -1 to 1."""
    image = Image.new("RGB", (width, height), (250, 248, 240))
    font = ImageFont.load_default(size=int(height * 0.6) if height < 64 else 40)
    ImageDraw.Draw(image).text((12, height // 6), text, fill=(20, 20, 40), font=font)
    return ((np.asarray(image, np.float32) / 255 - 0.5) / 0.5).transpose(2, 0, 1)[None].copy()


def rapidocr(folder, files):
    """Text in pictures: where it is, which way up, and what it says."""
    for file in files:
        case = Case(folder / file.stem, file, "rtol 0.001\natol 0.001\n")
        if "_det_" in file.name:
            case.run({"x": picture(640, 320, "Ascend 910B\nreads text 2026")})
            case.run({"x": picture(320, 160, "small")})
        elif "_cls_" in file.name:
            upright = picture(192, 48, "which way up")
            case.run({"x": np.concatenate([upright, upright[:, :, ::-1, ::-1]])})
        else:
            case.run({"x": picture(320, 48, "ONNX models, 12345")})
            case.run({"x": picture(480, 48, "another length of text")})


def main():
    folder = Path(sys.argv[1])
    files = models(folder / "packages")
    magika(folder / "cases", files["magika"])
    silero(folder / "cases", files["silero_vad"])
    rapidocr(folder / "cases", files["rapidocr_onnxruntime"])


if __name__ == "__main__":
    main()
