//! Interop: exchanging tensors with arrays, files and text. Each has a feature of `aclnn`: `ndarray`, `safetensors`, `serde`.
//! `cargo run -p example-11-interop`
//!
//! `examples/dlpack_library.rs` shares tensors with Python, with the feature `dlpack`.

use aclnn::interop::safetensors;
use aclnn::{DType, Device, Shape, Tensor};
use ndarray::{Array2, array};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let device = Device::open(0)?;

    // An array of any layout to the device, and a result back as one.
    let array = array![[1.0f32, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let tensor = Tensor::from_ndarray(&device, &array.t())?;
    let result = Array2::<f32>::try_from(&tensor.mul(10)?)?;
    println!("{result}");

    // Named tensors in a file, in any type that the format has.
    let weight = Tensor::linspace(&device, 0, 1, 4, DType::BF16)?.reshape([2, 2])?;
    let path = std::env::temp_dir().join(format!("aclnn-{}.safetensors", std::process::id()));
    std::fs::write(&path, safetensors::save([("weight", &weight), ("bias", &weight.select(0, 0)?)])?)?;
    let tensors = safetensors::load(&device, &std::fs::read(&path)?)?;
    std::fs::remove_file(&path)?;
    for (name, tensor) in &tensors {
        println!("{name}: {tensor}");
    }

    // Types and shapes as text.
    let text = serde_json::to_string(&(weight.dtype(), weight.shape()))?;
    let (dtype, shape): (DType, Shape) = serde_json::from_str(&text)?;
    println!("{text} is {dtype}{shape}");
    Ok(())
}

// Output:
// [[10, 40],
//  [20, 50],
//  [30, 60]]
// bias: [0.   , 0.334] bf16[2] on device 0
// weight: [[0.   , 0.334],
//  [0.668, 1.   ]]
// bf16[2, 2] on device 0
// ["bf16",[2,2]] is bf16[2, 2]
