//! Several devices train the perceptron of example 14 together: each takes its part of every batch, and before the optimizer
//! changes the weights, the gradients are summed over all devices.
//!
//! `cargo run --release -p example-16-data-parallel -- --ranks 4` starts a process for each rank, all on this host. Then it
//! trains again by one rank alone, and compares the losses. A launcher may start the ranks instead, also on several hosts:
//!
//! ```sh
//! torchrun --nproc-per-node 4 --no-python target/release/example-16-data-parallel
//! ```

mod start;
mod train;

// The network and the digits of example 14, where `main.rs` trains them on one device.
#[path = "../../14_train/src/digits.rs"]
mod digits;
#[path = "../../14_train/src/network.rs"]
mod network;

use std::error::Error;
use std::process::ExitCode;

use aclnn::collective::Launch;

use train::{BATCH, Trained};

/// How far the losses of whole batches may be from those of parts, as a share of 1 or of a larger loss. The sums of a
/// gradient are rounded in another order, and each step rounds weights to the 11 bits of f16: in 440 steps on the emulator,
/// losses come apart by 0.001.
const TOLERANCE: f32 = 0.01;

/// The arguments of the command line.
struct Arguments {
    /// `--ranks`: how many processes to start; two if no launcher has started this one.
    ranks: Option<usize>,
    /// `--parts`: into how many parts each batch is divided; one for each rank if it is not given.
    parts: Option<usize>,
    /// `--epochs`: how often all digits are learned.
    epochs: usize,
    /// `--losses`: whether rank 0 prints every loss, for the process that has started it.
    losses: bool,
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let arguments = arguments()?;
    match (Launch::from_env()?, arguments.ranks) {
        (Some(launch), Some(_)) if launch.size > 1 => {
            Err(format!("a launcher has started {} ranks; leave out --ranks", launch.size).into())
        }
        (Some(launch), None) => one_of_the_ranks(&launch, &arguments)
            .map_err(|error| format!("[rank {}] {error}", launch.rank).into()),
        (_, ranks) => start_and_compare(ranks.unwrap_or(2), &arguments),
    }
}

fn arguments() -> Result<Arguments, Box<dyn Error>> {
    let mut arguments = Arguments { ranks: None, parts: None, epochs: 3, losses: false };
    let mut given = std::env::args().skip(1);
    while let Some(name) = given.next() {
        let mut number = || -> Result<usize, Box<dyn Error>> {
            let value = given.next().unwrap_or_default();
            let number = value.parse().ok().filter(|number| *number > 0);
            number.ok_or_else(|| format!("{name} {value}: it has to be a number from 1").into())
        };
        match name.as_str() {
            "--ranks" => arguments.ranks = Some(number()?),
            "--parts" => arguments.parts = Some(number()?),
            "--epochs" => arguments.epochs = number()?,
            "--losses" => arguments.losses = true,
            _ => return Err(format!("{name} is none of --ranks, --parts, --epochs, --losses").into()),
        }
    }
    Ok(arguments)
}

/// The parts of a batch, which the ranks share equally.
fn parts_for(ranks: usize, arguments: &Arguments) -> Result<usize, Box<dyn Error>> {
    let parts = arguments.parts.unwrap_or(ranks);
    if !BATCH.is_multiple_of(parts) || !parts.is_multiple_of(ranks) {
        return Err(format!(
            "{ranks} ranks cannot share batches of {BATCH} in {parts} equal parts: take a number of parts that divides \
             {BATCH}, and a number of ranks that divides it"
        )
        .into());
    }
    Ok(parts)
}

/// The work of a process that a launcher has started.
fn one_of_the_ranks(launch: &Launch, arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let parts = parts_for(launch.size, arguments)?;
    let Trained { losses, right } = train::train(launch, parts, arguments.epochs)?;
    if launch.rank != 0 {
        return Ok(());
    }
    let (first, last) = (losses.first().unwrap_or(&f32::NAN), losses.last().unwrap_or(&f32::NAN));
    println!("ranks: {}, steps: {}, the loss falls from {first:.1} to {last:.1}", launch.size, losses.len());
    println!("of the digits held out, more than 90 % are read right: {}", right > 0.9);
    if arguments.losses {
        losses.iter().for_each(|loss| println!("{loss}"));
    }
    Ok(())
}

/// Trains by several ranks, then by one, and compares the losses.
fn start_and_compare(ranks: usize, arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    // The lines that rank 0 prints, and the losses.
    let train = |ranks: usize, parts: usize| -> Result<(String, Vec<f32>), Box<dyn Error>> {
        let options = ["--parts", &parts.to_string(), "--epochs", &arguments.epochs.to_string(), "--losses"];
        let printed = start::start(ranks, &options)?;
        let mut lines = printed.lines();
        let report: Vec<&str> = lines.by_ref().take(2).collect();
        Ok((report.join("\n"), lines.map(str::parse).collect::<Result<_, _>>()?))
    };
    let parts = parts_for(ranks, arguments)?;
    let (report, together) = train(ranks, parts)?;
    println!("{report}");

    // The same sums, and in the same order on the emulator, which reduces in the order of the ranks.
    let (_, in_turn) = train(1, parts)?;
    compare(&together, &in_turn)?;
    println!("1 rank, {parts} parts in turn: the same losses, bit for bit: {}", together == in_turn);
    // Other sums, each of a whole batch.
    compare(&together, &train(1, 1)?.1)?;
    println!("1 rank, whole batches: the same losses within {TOLERANCE}: true");
    Ok(())
}

/// Checks that losses are as close as [`TOLERANCE`].
fn compare(together: &[f32], alone: &[f32]) -> Result<(), Box<dyn Error>> {
    let apart = |(a, b): (&f32, &f32)| (a - b).abs() / b.abs().max(1.0);
    // A NaN is apart from everything.
    let most = together
        .iter()
        .zip(alone)
        .map(apart)
        .fold(0.0, |most: f32, next| if next.is_nan() { f32::INFINITY } else { most.max(next) });
    if together.len() != alone.len() || most > TOLERANCE {
        return Err(
            format!("the losses differ by {most} from those of one rank, by more than {TOLERANCE}").into()
        );
    }
    Ok(())
}

// Output:
// ranks: 2, steps: 66, the loss falls from 2.4 to 0.3
// of the digits held out, more than 90 % are read right: true
// 1 rank, 2 parts in turn: the same losses, bit for bit: true
// 1 rank, whole batches: the same losses within 0.01: true
