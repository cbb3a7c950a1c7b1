//! A convolutional network reads handwritten digits in f16: convolutions, norms, poolings, a linear layer, softmax and topk.
//!
//! `model.py` trained it with PyTorch, and wrote the weights and the scores that PyTorch computes with them.
//! `cargo run --release -p example-17-cnn -- digits.png` also draws where the network looks; without a name it writes nothing.

mod network;
mod picture;

use std::error::Error;

use aclnn::interop::safetensors;
use aclnn::{DType, Device, Tensor};

use network::Network;

/// How far scores may be off PyTorch's: four steps of f16 between 4 and 8, where the greatest scores lie. Each layer rounds to
/// f16 here, and PyTorch computed in f32.
const TOLERANCE: f32 = 4.0 / 256.0;

fn main() -> Result<(), Box<dyn Error>> {
    let device = Device::open(0)?;
    let network = Network::new(safetensors::load(&device, include_bytes!("../model.safetensors"))?);
    let golden = safetensors::load(&device, include_bytes!("../golden.safetensors"))?;

    let (images, labels) = digits(&device)?;
    let features = network.features(&images)?;
    let scores = network.scores(&features)?;
    let found = scores.argmax(1)?;
    let right = found.eq(&labels)?.cast(DType::I64)?.sum(..)?.item::<i64>()?;
    println!("{right} of {} digits are read right", labels.numel());

    let difference = (&scores - &golden["scores"])?.abs()?.max(..)?.item::<f32>()?;
    println!("{:?} scores of {}, as PyTorch's: {}", scores.dims(), scores.dtype(), difference < TOLERANCE);

    // Probabilities are computed in f32; topk gives the two greatest ones, and which digits they are for.
    let (likely, digits) = scores.cast(DType::F32)?.softmax(1)?.topk(2, 1)?;
    picture::print(&images.slice(0, 10..15)?, &likely.slice(0, 10..15)?, &digits.slice(0, 10..15)?)?;

    if let Some(path) = std::env::args().nth(1) {
        picture::write(&path, &network, &images, &labels)?;
        println!("wrote {path}");
    }
    Ok(())
}

/// The digits that `model.py` held out, every fifth: images `[images, 1, 8, 8]` of f16 from 0 to 1, and which digit each shows.
///
/// Example 14 says where they come from.
fn digits(device: &Device) -> aclnn::Result<(Tensor, Tensor)> {
    let bytes = include_bytes!("../../14_train/digits.bin");
    let table = Tensor::from_slice(device, bytes, [bytes.len() / 65, 65])?.slice_step(0, .., 5)?;
    let pixels = table.slice(1, ..64)?.cast(DType::F16)?.reshape([table.dims()[0], 1, 8, 8])?;
    Ok(((pixels / 16)?, table.select(1, 64)?.cast(DType::I64)?))
}

// Output:
// 357 of 360 digits are read right
// [360, 10] scores of f16, as PyTorch's: true
//       ░░██▓▓            ████░░          ▒▒████░░            ▒▒▒▒                ██▒▒
//     ▒▒██▒▒██░░        ▒▒██████          ░░▒▒▓▓██          ▒▒██▒▒              ▓▓██▒▒
//     ▒▒  ░░▓▓        ░░██▒▒▒▒██░░          ░░██▒▒          ▓▓▓▓              ▒▒████▒▒
//         ▓▓░░        ░░██    ██▒▒            ██▒▒          ██▒▒            ▒▒██▒▒██
//       ▓▓▒▒          ░░██▒▒  ▓▓▒▒            ▒▒▓▓        ░░████▓▓▒▒          ░░▒▒██▒▒
//   ▒▒██▓▓              ██▓▓░░▓▓▒▒              ██░░        ██▓▓░░▓▓▒▒          ░░██▒▒
//   ░░████▓▓            ▓▓██████          ▒▒░░▒▒██▒▒        ▒▒██░░▒▒██            ██▒▒
//       ▒▒▓▓▓▓░░          ▓▓▓▓░░          ██▓▓██▓▓            ▒▒▓▓██▒▒            ▓▓▓▓
// 2: 95 %           0: 88 %           3: 98 %           6: 98 %           1: 91 %
// 3: 1 %            8: 6 %            1: 1 %            4: 1 %            4: 3 %
// wrote digits.png
