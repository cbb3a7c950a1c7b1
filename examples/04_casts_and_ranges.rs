//! Casts and ranges: those of the device, and those of ONNX and OpenVINO, which run on the device if it does exactly
//! what they describe, and otherwise on the host.

use aclnn::{DType, Device, Error, Tensor, onnx, openvino};

fn main() -> Result<(), Error> {
    let device = Device::open(0)?;

    // A cast truncates to integers, and keeps their low bits.
    let values = Tensor::from_slice(&device, &[-1.5f32, 0.0, 2.7, 300.0], [4])?;
    println!("{}", values.cast(DType::I8)?);
    println!("{}", values.cast(DType::Bool)?);

    // Three ranges of the device: before the end, up to the end, and by the number of elements.
    println!("{}", Tensor::arange(&device, 0.0, 2.5, 0.5, DType::BF16)?);
    println!("{}", Tensor::range_inclusive(&device, 10, 4, -2, DType::I64)?);
    println!("{}", Tensor::linspace(&device, 0, 1, 5, DType::F32)?);

    // Cast of ONNX: the plan tells which version of the operator the opset has, and where it runs.
    println!("{}", onnx::cast(&values, DType::F16).plan()?);
    let large = Tensor::from_slice(&device, &[0.3f32, 1e6], [2])?;
    for saturate in [true, false] {
        let small = onnx::cast(&large, DType::F8E5M2).saturate(saturate);
        println!("{}", small.plan()?);
        println!("{}", small.run()?);
    }

    // Range of ONNX takes scalars of one type, that of OpenVINO any real ones and the type of the result.
    let range = onnx::range(&device, 10.0f32, 4.0f32, -1.5f32);
    println!("{}", range.plan()?);
    println!("{}", range.run()?);
    let range = openvino::range(&device, 2.9, 23, 3u8, DType::I32);
    println!("{}", range.plan()?);
    println!("{}", range.run()?);
    Ok(())
}

// Output:
// [-1,  0,  2, 44] i8[4] on device 0
// [ true, false,  true,  true] bool[4] on device 0
// [0. , 0.5, 1. , 1.5, 2. ] bf16[5] on device 0
// [10,  8,  6,  4] i64[4] on device 0
// [0.  , 0.25, 0.5 , 0.75, 1.  ] f32[5] on device 0
// Cast-25: Cast f32→f16 on the device
// Cast-25: f32→f8e5m2 on the host, which the device cannot do
// [3.1250e-01, 5.7344e+04] f8e5m2[2] on device 0
// Cast-25: f32→f8e5m2 on the host, which the device cannot do
// [0.3125,    inf] f8e5m2[2] on device 0
// Range-11: 4 × f32 by Arange on the device
// [10. ,  8.5,  7. ,  5.5] f32[4] on device 0
// Range-4: 7 × i32 by Arange on the device
// [ 2,  5,  8, 11, 14, 17, 20] i32[7] on device 0
