//! Runs a model with `ort`, on an NPU or on the emulator: `y = relu(x)`, of the file that is named or of bytes in here.

use ort::session::Session;
use ort::value::TensorRef;

/// The model: version 8 of the format, version 17 of the operators, one node.
const MODEL: &[u8] = b"\x08\x08B\x02\x10\x11:5\
    \x0a\x0c\x0a\x01x\x12\x01y\"\x04Relu\x12\x01g\
    Z\x10\x0a\x01x\x12\x0b\x0a\x09\x08\x01\x12\x05\x0a\x03\x12\x01n\
    b\x10\x0a\x01y\x12\x0b\x0a\x09\x08\x01\x12\x05\x0a\x03\x12\x01n";

fn main() -> ort::Result<()> {
    // The only line that names the backend.
    ort::set_api(ort_aclnn::api());

    let environment = ort::init().build()?;
    let mut builder = Session::builder(&environment)?;
    let mut session = match std::env::args().nth(1) {
        Some(path) => builder.commit_from_file(path)?,
        None => builder.commit_from_memory(MODEL)?,
    };
    for port in session.inputs().iter().chain(session.outputs()) {
        println!("{}: {}", port.name(), port.dtype());
    }
    let x = ndarray::arr1(&[-1.5f32, 0.0, 2.5]);
    let outputs = session.run(ort::inputs![TensorRef::from_array_view(&x)?])?;
    println!("{:?} -> {:?}", x.as_slice(), outputs[0].try_extract_tensor::<f32>()?.1);
    Ok(())
}
