//! `cargo xtask golden`: writes the golden vectors of the tests again, with Python and its reference packages.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::python::{check, environment};
use crate::workspace;

/// The scripts, each of which says what it writes and where its expectations come from.
const SCRIPTS: &[&str] = &[
    "activation.py",
    "arithmetic.py",
    "attention.py",
    "attention_steps.py",
    "binary.py",
    "by_name.py",
    "by_signature.py",
    "caches.py",
    "cann_cast.py",
    "convolution.py",
    "fused.py",
    "experts.py",
    "foreach.py",
    "index.py",
    "interpolated.py",
    "linalg.py",
    "loss.py",
    "matrix.py",
    "models.py",
    "movement.py",
    "normalization.py",
    "optimizer.py",
    "onnx_cast.py",
    "openvino_range.py",
    "pairwise.py",
    "parametric.py",
    "pooling.py",
    "print.py",
    "quantisation.py",
    "quantised.py",
    "random_numbers.py",
    "n_ary.py",
    "sparse.py",
    "recurrent.py",
    "reductions.py",
    "resize.py",
    "sampling.py",
    "sequences.py",
    "sorting.py",
    "training.py",
    "unary.py",
    "vocabulary.py",
];

/// The releases of onnx that generate the node tests of Cast, for its versions 13, 19, 21, 23, 24 and 25. Old releases
/// do not work with newer packages.
const RELEASES: &[&[&str]] = &[
    &["onnx==1.13.1", "numpy<1.24", "protobuf<4"],
    &["onnx==1.14.1", "numpy<2", "protobuf<5"],
    &["onnx==1.16.2"],
    &["onnx==1.18.0"],
    &["onnx==1.19.1"],
    &["onnx==1.20.1"],
];

/// Runs every script, with the reference packages installed in environments of their own below the target directory.
/// With `nodes` it also collects the node tests of ONNX, which takes six more environments.
pub(crate) fn run(nodes: bool) -> Result<()> {
    let golden = workspace::root().join("xtask").join("golden");
    let requirements = golden.join("requirements.txt");
    let python = environment("references", &["--requirement".as_ref(), requirements.as_ref()])?;
    for script in SCRIPTS {
        println!("{script}");
        check(Command::new(&python).arg(golden.join(script)))?;
    }
    if nodes {
        let mut command = Command::new(&python);
        command.arg(golden.join("onnx_cast.py")).arg("nodes");
        for release in RELEASES {
            println!("{}", release.join(", "));
            let name = release.first().copied().unwrap_or_default().replace("==", "-");
            let packages: Vec<&Path> = release.iter().map(Path::new).collect();
            command.arg(environment(&name, &packages)?);
        }
        check(&mut command)?;
    }
    Ok(())
}
