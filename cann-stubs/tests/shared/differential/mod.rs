//! Random calls of operators, compared with slow and obvious references: types, sizes, layouts, repeated axes, tensors that
//! are passed twice, results of other types and in place.
//!
//! Numbers are small integers, so that every type holds every result exactly, in whatever order it is computed. Roundings and
//! special values are the business of the golden cases.
//!
//! `DIFFERENTIAL_CASES` sets how many calls are made, `DIFFERENTIAL_SEED` the first of their seeds, which a failure tells.

mod draw;
mod elementwise;
mod foreach;
mod index;
mod movement;
mod parametric;
mod reductions;
mod sorting;

use crate::support::Device;
use crate::support::cases::{Case, Layout};
use draw::Draw;

/// Makes a call of an operator of some family.
type Make = fn(&mut Draw) -> Case;

/// The families.
const MAKE: &[Make] = &[
    elementwise::one,
    elementwise::two,
    elementwise::compare,
    foreach::lists,
    parametric::attributed,
    parametric::clamp,
    parametric::gradient,
    index::select,
    index::scatter,
    index::slices,
    index::advanced,
    index::masked,
    elementwise::choose,
    sorting::ranked,
    sorting::searched,
    sorting::unique,
    movement::join,
    movement::split,
    movement::cut,
    movement::reorder,
    movement::repeat,
    movement::triangle,
    movement::pad,
    movement::windows,
    reductions::reduce,
    reductions::position,
    reductions::scan,
];

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().map(|value| value.parse().expect("a number"))
}

#[test]
fn random_calls_do_what_references_do() {
    let _device = Device::set();
    let first = number("DIFFERENTIAL_SEED").unwrap_or(1);
    let count = number("DIFFERENTIAL_CASES").unwrap_or(4000);
    for seed in first..first + count {
        let mut draw = Draw::new(seed);
        let make = draw.one(MAKE);
        let case = make(&mut draw);
        let layout = match draw.below(4) {
            0 => Layout::Contiguous,
            _ if !case.is_possible(Layout::Gaps) => Layout::Contiguous,
            _ => Layout::Scattered(seed),
        };
        if let Err(why) = case.check(layout) {
            panic!("DIFFERENTIAL_SEED={seed} DIFFERENTIAL_CASES=1: {why}");
        }
    }
}
