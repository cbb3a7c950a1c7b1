//! What each rank does.

use std::time::Duration;

use aclnn::collective::{Communicator, Launch, ReduceOp};
use aclnn::{DType, Generator, Result, Tensor};
use indicatif::{ProgressBar, ProgressStyle};

use crate::digits::digits;
use crate::network::Trainer;

/// How many digits all ranks learn in one step.
pub(crate) const BATCH: usize = 64;

/// The result of the training, which is the same on every rank.
pub(crate) struct Trained {
    /// The loss of each batch.
    pub(crate) losses: Vec<f32>,
    /// The share of the digits held out that are read right.
    pub(crate) right: f32,
}

/// Trains as one rank of the group.
///
/// Each batch is divided into equal parts, and each rank takes as many of them, in the order of the ranks.
pub(crate) fn train(launch: &Launch, parts: usize, epochs: usize) -> Result<Trained> {
    let device = launch.open_device()?;
    let id = launch.share(&device, Duration::from_secs(60))?;
    let group = Communicator::init(&device, &id, launch.rank, launch.size)?;
    let own = parts / launch.size;

    let [learned, held_out] = digits(&device)?;
    // All ranks draw the same numbers from the same seed: the same weights, and the same order of the digits.
    let mut generator = Generator::new(1);
    let mut trainer = Trainer::new(&device, &mut generator)?;
    let bar = progress(launch, epochs);
    let mut losses = Vec::new();
    for _ in 0..epochs {
        let order = Tensor::randperm(&device, learned.labels.numel(), DType::I64, &mut generator)?;
        // What does not fill a batch is left out.
        for batch in order.split(0, BATCH)?.filter(|batch| batch.numel() == BATCH) {
            let mut sums: Option<[Tensor; 5]> = None;
            for part in batch.split(0, BATCH / parts)?.skip(launch.rank * own).take(own) {
                let (pixels, labels) =
                    (learned.pixels.index_select(0, &part)?, learned.labels.index_select(0, &part)?);
                let (loss, [w1, b1, w2, b2]) = trainer.gradients(&pixels, &labels)?;
                let results = [loss, w1, b1, w2, b2];
                match &mut sums {
                    None => sums = Some(results),
                    Some(sums) => {
                        for (sum, result) in sums.iter_mut().zip(&results) {
                            sum.add_in_place(result)?;
                        }
                    }
                }
            }
            let Some(mut results) = sums else { continue };
            // The sum over all ranks, and from it the mean over all parts.
            for result in &mut results {
                group.all_reduce_in_place(result, ReduceOp::Sum)?;
                result.mul_in_place(1.0 / parts as f32)?;
            }
            let [loss, mut gradients @ ..] = results;
            trainer.optimize(&mut gradients)?;
            losses.push(loss);
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let right =
        trainer.predict(&held_out.pixels)?.eq(&held_out.labels)?.cast(DType::F32)?.mean(..)?.item()?;
    Ok(Trained { losses: losses.iter().map(Tensor::item).collect::<Result<_>>()?, right })
}

/// The progress of all ranks, which rank 0 shows.
fn progress(launch: &Launch, epochs: usize) -> ProgressBar {
    if launch.rank != 0 {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(epochs as u64).with_message(format!("{} ranks", launch.size));
    match ProgressStyle::with_template("{msg}: {bar:40} {pos}/{len} epochs") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
