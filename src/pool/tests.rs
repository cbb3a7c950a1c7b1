//! Tests of blocks against a slow model: units of bytes that know how they are free. A block is a run of equal units.

#![allow(clippy::indexing_slicing, reason = "only tests use it")]

use std::collections::BTreeMap;
use std::ops::Range;

use fastrand::Rng;

use super::blocks::{Blocks, EVERYBODY, Free, Taken};
use super::class::Class;

const UNIT: usize = 512;
/// The number of units in a segment.
const UNITS: usize = 64;
const STREAMS: Range<u64> = 1..4;

/// `None` for a unit in use, otherwise the stream in whose order it is free, its moment, and the time it became free.
type Unit = Option<(u64, u64, u64)>;

#[derive(Default)]
struct Model(BTreeMap<usize, Vec<Unit>>);

/// The units of a free block: the segment, and the range in it.
type Run = (usize, Range<usize>);

impl Model {
    fn order(&self, (segment, units): &Run) -> u64 {
        self.0[segment][units.start].map_or(0, |(order, ..)| order)
    }

    /// Returns the latest moment and the latest time of becoming free.
    fn latest(&self, (segment, units): &Run) -> (u64, u64) {
        let units = self.0[segment][units.clone()].iter().flatten();
        units.fold((0, 0), |(moment, since), unit| (moment.max(unit.1), since.max(unit.2)))
    }

    fn runs(&self) -> Vec<Run> {
        let mut runs = Vec::new();
        for (&segment, units) in &self.0 {
            let mut start = 0;
            for chunk in units.chunk_by(|a, b| a.map(|unit| unit.0) == b.map(|unit| unit.0)) {
                if chunk[0].is_some() {
                    runs.push((segment, start..start + chunk.len()));
                }
                start += chunk.len();
            }
        }
        runs
    }

    fn set(&mut self, (segment, units): &Run, unit: Unit) {
        self.0.get_mut(segment).unwrap()[units.clone()].fill(unit);
    }

    fn free(&self) -> Free {
        let sizes: Vec<_> = self.runs().iter().map(|(_, units)| units.len() * UNIT).collect();
        let largest = sizes.iter().max().copied().unwrap_or(0);
        Free { bytes: sizes.iter().sum(), blocks: sizes.len(), largest }
    }
}

#[derive(Debug, Clone)]
enum Step {
    Take { order: u64, units: usize },
    Give { which: usize, order: u64 },
    Release { before: u64 },
    End { order: u64 },
    Remove { keep: usize },
}

impl Step {
    fn random(rng: &mut Rng) -> Self {
        match rng.u8(..19) {
            0..8 => Self::Take { order: rng.u64(STREAMS), units: rng.usize(1..UNITS / 2) },
            8..16 => Self::Give { which: rng.usize(..), order: rng.u64(STREAMS) },
            16 => Self::Release { before: rng.u64(..100) },
            17 => Self::End { order: rng.u64(STREAMS) },
            _ => Self::Remove { keep: rng.usize(..UNITS * 4) * UNIT },
        }
    }
}

#[test]
fn blocks_do_what_the_model_does() {
    for seed in 0..500 {
        let mut rng = Rng::with_seed(seed);
        let steps: Vec<_> = (0..rng.usize(1..200)).map(|_| Step::random(&mut rng)).collect();
        let followed = std::panic::catch_unwind(|| follow(&steps));
        assert!(followed.is_ok(), "seed {seed}: {steps:?}");
    }
}

fn follow(steps: &[Step]) {
    let (mut blocks, mut model, mut live) = (Blocks::default(), Model::default(), Vec::<Taken>::new());
    let (mut clock, mut segments) = (0, 0);
    for step in steps {
        match *step {
            Step::Take { order, units } => {
                let fits: Vec<Run> = model
                    .runs()
                    .into_iter()
                    .filter(|run| run.1.len() >= units && [order, EVERYBODY].contains(&model.order(run)))
                    .collect();
                let size = units * UNIT;
                let taken = blocks.take(order, Class::Small, size);
                assert_eq!(taken.is_some(), !fits.is_empty());
                let taken = taken.or_else(|| {
                    segments += 1;
                    model.0.insert(segments, vec![Some((EVERYBODY, 0, 0)); UNITS]);
                    blocks.grow((segments, UNITS * UNIT), order, Class::Small, size)
                });
                let Some(taken) = taken else { unreachable!() };
                let start = taken.offset / UNIT;
                let run = model.runs().into_iter().find(|run| (run.0, run.1.start) == (taken.segment, start));
                let Some(run) = run else { unreachable!("{taken:?} is not the start of a block") };
                assert!(fits.iter().all(|other| other.1.len() >= run.1.len()), "not the best fit");
                assert_eq!(taken.size, size);
                assert_eq!(taken.moment, model.latest(&run).0);
                let (moment, since) = model.latest(&run);
                model.set(&run, Some((order, moment, since)));
                model.set(&(run.0, start..start + units), None);
                live.push(taken);
            }
            Step::Give { which, order } => {
                if !live.is_empty() {
                    let Taken { block, segment, offset, size, .. } = live.swap_remove(which % live.len());
                    clock += 1;
                    // Moments and the clock count differently.
                    assert_eq!(blocks.give(block, order, clock * 10), size);
                    assert_eq!(blocks.now(), clock);
                    let units = offset / UNIT..(offset + size) / UNIT;
                    model.set(&(segment, units), Some((order, clock * 10, clock)));
                }
            }
            Step::Release { before } => {
                blocks.release(|freed| freed.since <= before);
                for run in model.runs() {
                    if model.latest(&run).1 <= before {
                        model.set(&run, Some((EVERYBODY, 0, 0)));
                    }
                }
            }
            Step::End { order } => {
                blocks.end(order);
                let ended: Vec<_> =
                    model.runs().into_iter().filter(|run| model.order(run) == order).collect();
                ended.iter().for_each(|run| model.set(run, Some((EVERYBODY, 0, 0))));
            }
            Step::Remove { keep } => {
                let mut whole: Vec<_> = model.runs();
                whole.retain(|run| run.1.len() == UNITS && model.order(run) == EVERYBODY);
                for segment in blocks.remove_segments(keep) {
                    let removed = whole.pop().map(|run| run.0);
                    assert_eq!(removed, Some(segment), "the youngest go first");
                    model.0.remove(&segment);
                    assert!(model.free().bytes >= keep);
                }
                assert!(whole.is_empty() || model.free().bytes < keep + UNITS * UNIT);
            }
        }
        assert_eq!(blocks.free(), model.free());
    }
    // One block is left of each segment.
    for Taken { block, .. } in live {
        blocks.give(block, 1, 1);
    }
    blocks.release(|_| true);
    assert_eq!(blocks.free().blocks, model.0.len());
    assert_eq!(blocks.remove_segments(0).len(), model.0.len());
    assert_eq!(blocks.free(), Free::default());
}
