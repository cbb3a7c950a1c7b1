//! An ONNX model reads handwritten digits: opened, prepared for the device, run with any number of images.
//!
//! `model.py` trained it with PyTorch and exported it. `cargo run --release -p example-18-onnx -- digits.svg` also draws the
//! digits with what was read; without a name it writes nothing.

mod picture;

use aclnn_onnx::{Array, Device, Model};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let device = Device::open(0)?;
    let model = Model::from_bytes(include_bytes!("../digits.onnx").as_slice())?;
    for port in model.inputs().chain(model.outputs()) {
        println!("{}: {}", port.name, port.value_type.ok_or("a type is missing")?);
    }
    let session = model.session(&device)?;

    let (images, labels) = digits();
    let image = Array::from_slice(&images.concat(), [images.len(), 1, 8, 8])?;
    let outputs = session.run([("image", image)])?;
    let probabilities = outputs.array("probabilities")?.to_vec::<f32>()?;

    let read: Vec<(usize, f32)> = probabilities.chunks(10).map(likeliest).collect();
    let right = read.iter().zip(&labels).filter(|((digit, _), label)| digit == *label).count();
    println!("{right} of {} digits are read right", labels.len());
    println!("{}", session.plan()?);

    if let Some(path) = std::env::args().nth(1) {
        std::fs::write(&path, picture::draw(&images, &labels, &read))?;
        println!("wrote {path}");
    }
    Ok(())
}

/// Returns the most probable digit, and its probability.
fn likeliest(probabilities: &[f32]) -> (usize, f32) {
    let digits = probabilities.iter().copied().enumerate();
    digits.fold((0, 0.0), |best, each| if each.1 > best.1 { each } else { best })
}

/// The digits that `model.py` held out, every fifth: images of 8 × 8 pixels from 0 to 1, and which digit each shows.
///
/// Example 14 says where they come from.
fn digits() -> (Vec<[f32; 64]>, Vec<usize>) {
    let rows = include_bytes!("../../14_train/digits.bin").as_chunks::<65>().0;
    rows.iter()
        .step_by(5)
        .map(|row| (std::array::from_fn(|pixel| f32::from(row[pixel]) / 16.0), usize::from(row[64])))
        .unzip()
}

// Output:
// image: f32[images, 1, 8, 8]
// probabilities: f32[images, 10]
// 353 of 360 digits are read right
// For image f32[360, 1, 8, 8]:
//  0  Conv `/conv1/Conv`: aclnnConvolution
//  1  Relu `/Relu`: aclnnRelu
//  2  MaxPool `/MaxPool`: aclnnMaxPool
//  3  Conv `/conv2/Conv`: aclnnConvolution
//  4  Relu `/Relu_1`: aclnnRelu
//  5  MaxPool `/MaxPool_1`: aclnnMaxPool
//  6  Flatten `/Flatten`: a view
//  7  Gemm `/hidden/Gemm`: aclnnAddmm
//  8  aclnn.fused.Gelu `/Mul_1`: aclnnGeluV2
//  9  Gemm `/scores/Gemm`: aclnnAddmm
// 10  Softmax `/Softmax`: aclnnSoftmax
// 11 nodes: 11 on the device, 0 on the host, 0 computed before; 10 launches, 0 of them inserted Casts; waits 0 times; at most 2306560 bytes in use beside inputs and weights
// wrote digits.svg
