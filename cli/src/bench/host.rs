//! Time of a call on the host, until its work is queued.

use std::time::Instant;

use aclnn::{DType, Device, Tensor, ops};
use anyhow::Result;

use super::measure::{Budget, Measured, timed};
use super::raw::Sum;

/// The calls of one sample.
const BATCH: usize = 128;

/// The elements of the tensors: so few that the work itself is next to nothing.
const ELEMENTS: usize = 16;

pub(super) fn series(device: &Device) -> Vec<Measured<'_>> {
    let one = |name: &str, seconds: fn(&Device, usize, Budget) -> Result<f64>| Measured {
        group: "host",
        name: name.to_owned(),
        unit: "ns",
        axis: "elements",
        sizes: vec![ELEMENTS],
        measure: Box::new(
            move |elements, budget| Ok(seconds(device, elements, budget)? / BATCH as f64 * 1e9),
        ),
    };
    vec![
        one("descriptors of Add", descriptors),
        one("phase one of Add", phase_one),
        one("phase two of Add", phase_two),
        one("safe call, into a tensor", run_into),
        one("safe call, new tensor", new_tensor),
        one("safe call, f16 and f32", mixed),
        one("safe call and wait", and_wait),
    ]
}

fn descriptors(device: &Device, elements: usize, budget: Budget) -> Result<f64> {
    let sum = Sum::new(device, elements)?;
    budget.best(|| timed(|| (0..BATCH).try_for_each(|_| sum.destroy(sum.describe()?))))
}

fn phase_one(device: &Device, elements: usize, budget: Budget) -> Result<f64> {
    phases(device, elements, budget, true)
}

fn phase_two(device: &Device, elements: usize, budget: Budget) -> Result<f64> {
    phases(device, elements, budget, false)
}

/// Plans calls, then launches them, and returns the time of the one or the other.
fn phases(device: &Device, elements: usize, budget: Budget, of_first: bool) -> Result<f64> {
    let sum = Sum::new(device, elements)?;
    let descriptors = sum.describe()?;
    let best = budget.best(|| {
        let start = Instant::now();
        let plans = (0..BATCH).map(|_| sum.plan(&descriptors)).collect::<Result<Vec<_>>>()?;
        let first = start.elapsed();
        // Launches of one stream use it one after the other.
        let workspace = plans.first().map(|plan| sum.workspace(plan)).transpose()?;
        let start = Instant::now();
        if let Some(workspace) = &workspace {
            plans.into_iter().try_for_each(|plan| sum.launch(plan, workspace))?;
        }
        let second = start.elapsed();
        sum.synchronize()?;
        Ok(if of_first { first } else { second })
    });
    sum.destroy(descriptors)?;
    best
}

fn run_into(device: &Device, elements: usize, budget: Budget) -> Result<f64> {
    let sum = Sum::new(device, elements)?;
    let (a, b) = sum.operands();
    let mut out = a.empty_like()?;
    queued(device, budget, || Ok(ops::add(a, b).run_into(&mut out)?))
}

fn new_tensor(device: &Device, elements: usize, budget: Budget) -> Result<f64> {
    let sum = Sum::new(device, elements)?;
    let (a, b) = sum.operands();
    queued(device, budget, || Ok(a.add(b).map(drop)?))
}

fn mixed(device: &Device, elements: usize, budget: Budget) -> Result<f64> {
    let half = Tensor::ones(device, elements, DType::F16)?;
    let single = Tensor::ones(device, elements, DType::F32)?;
    queued(device, budget, || Ok(half.add(&single).map(drop)?))
}

fn and_wait(device: &Device, elements: usize, budget: Budget) -> Result<f64> {
    let sum = Sum::new(device, elements)?;
    let (a, b) = sum.operands();
    let mut out = a.empty_like()?;
    queued(device, budget, || {
        ops::add(a, b).run_into(&mut out)?;
        Ok(device.stream().synchronize()?)
    })
}

/// Times calls, and waits for their work afterwards.
fn queued(device: &Device, budget: Budget, mut call: impl FnMut() -> Result<()>) -> Result<f64> {
    budget.best(|| {
        let time = timed(|| (0..BATCH).try_for_each(|_| call()))?;
        device.synchronize()?;
        Ok(time)
    })
}
