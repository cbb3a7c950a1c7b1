//! A perceptron of two layers learns to read digits in mixed precision: weights and activations are f16, their master copies and
//! the optimizer f32, and the loss is scaled so that small gradients do not vanish in f16.
//!
//! `cargo run --release -p example-14-train -- loss.svg` writes the curve of the loss; without a name it writes nothing.

mod chart;
mod digits;
mod network;

use std::error::Error;

use aclnn::{DType, Device, Generator, Tensor};
use indicatif::{ProgressBar, ProgressStyle};

use digits::digits;
use network::Trainer;

const BATCH: usize = 64;
const EPOCHS: usize = 20;

fn main() -> Result<(), Box<dyn Error>> {
    let device = Device::open(0)?;
    let [learned, held_out] = digits(&device)?;
    let count = learned.labels.numel();
    println!("{count} digits to learn, {} held out", held_out.labels.numel());

    let mut generator = Generator::new(1);
    let mut trainer = Trainer::new(&device, &mut generator)?;
    let bar = ProgressBar::new(EPOCHS as u64);
    bar.set_style(ProgressStyle::with_template("{bar:40} {pos}/{len} epochs, loss {msg}")?);
    let mut losses = Vec::new();
    for _ in 0..EPOCHS {
        // The digits in another order in each epoch, drawn on the device.
        let order = Tensor::randperm(&device, count, DType::I64, &mut generator)?;
        for batch in order.split(0, BATCH)? {
            let (pixels, labels) =
                (learned.pixels.index_select(0, &batch)?, learned.labels.index_select(0, &batch)?);
            let (loss, mut gradients) = trainer.gradients(&pixels, &labels)?;
            trainer.optimize(&mut gradients)?;
            losses.push(loss);
        }
        // Losses stay on the device until somebody looks: once in an epoch.
        let last = losses.last().ok_or("there are no digits")?;
        bar.set_message(format!("{:.3}", last.item::<f32>()?));
        bar.inc(1);
    }
    bar.finish_and_clear();

    let right = trainer.predict(&held_out.pixels)?.eq(&held_out.labels)?;
    let accuracy = right.cast(DType::F32)?.mean(..)?.item::<f32>()?;
    println!("{} steps", losses.len());
    println!("more than 95 % are read right: {}", accuracy > 0.95);
    let losses = losses.iter().map(Tensor::item::<f32>).collect::<aclnn::Result<Vec<_>>>()?;
    if let Some(path) = std::env::args().nth(1) {
        std::fs::write(&path, chart::svg(&losses))?;
        println!("wrote {path}");
    }
    Ok(())
}

// Output:
// 1437 digits to learn, 360 held out
// 460 steps
// more than 95 % are read right: true
// wrote loss.svg
