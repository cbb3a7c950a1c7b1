//! Optimizer steps: some results of the elements at one position of some operands.
//!
//! Each formula makes a `Step`, which is compiled here for every set of instructions: `adam` has those with decoupled decay of
//! weights and one with a running mean, `classic` those of TensorFlow, and `sgd` that with momentum.

mod adam;
mod blocks;
mod classic;
mod sgd;

pub use adam::{AdamW, EmaAdam, adam_w};
pub use blocks::{AdamWInBlocks, Coded, STEPS};
pub use classic::{adadelta, adam, adamax, ftrl, gradient_descent};
pub use sgd::Sgd;

use std::marker::PhantomData;

use aclnn_numerics::DType;
use bytemuck::{try_cast_slice, try_cast_slice_mut};
use smallvec::SmallVec;

use crate::views::block::Line;
use crate::views::failure::Result;
use crate::views::instructions;
use crate::views::runs::prefetch;
use crate::{LaneBody, Panel};

/// The type that a step reads and writes.
pub const SEEN: DType = DType::F32;

/// A function of `I` elements of f32 at one position, with `O` results, computed in f64 but for what a function says. It is made of `K` numbers, which are the
/// same for all elements.
struct Step<F, G, const K: usize, const I: usize, const O: usize> {
    name: &'static str,
    make: F,
    function: PhantomData<fn() -> G>,
}

impl<F, G, const K: usize, const I: usize, const O: usize> Step<F, G, K, I, O>
where
    F: Fn([f64; K]) -> G + Send + Sync + 'static,
    G: Fn([f64; I]) -> [f64; O] + 'static,
{
    /// `name` says in a word or two what it computes.
    fn boxed(name: &'static str, make: F) -> Box<dyn LaneBody> {
        Box::new(Self { name, make, function: PhantomData })
    }

    /// The numbers are the first inputs.
    fn each(&self, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Option<()> {
        let (read, written, count) = columns(inputs, outputs)?;
        // SAFETY: `columns` has checked that all are aligned and have so many elements.
        unsafe { self.of_columns(&read, &written, count) }
    }

    /// # Safety
    /// So many elements of the inputs may be read, those of the outputs written; all are aligned.
    unsafe fn of_columns(&self, inputs: &[*const u8], outputs: &[*mut u8], count: usize) -> Option<()> {
        if count == 0 {
            return Some(());
        }
        let (numbers, operands) = inputs.split_first_chunk::<K>()?;
        let mut given = [0.0; K];
        for (given, number) in given.iter_mut().zip(numbers) {
            // SAFETY: there is an element at least.
            *given = f64::from(unsafe { number.cast::<f32>().read() });
        }
        let (read, written) = (operands.try_into().ok()?, outputs.try_into().ok()?);
        each_block(&Columns { read, written, count }, &(self.make)(given));
        Some(())
    }
}

/// Aligned columns of `count` elements of f32 each: the first ones may be read, the others written, and a column may be of both.
struct Columns<const I: usize, const O: usize> {
    read: [*const u8; I],
    written: [*mut u8; O],
    count: usize,
}

/// Returns the addresses of inputs and outputs, and the number of elements that all have; `None` if they are not whole,
/// aligned f32.
#[expect(clippy::type_complexity, reason = "it is taken apart where it is called")]
fn columns(
    inputs: &[&[u8]],
    outputs: &mut [&mut [u8]],
) -> Option<(SmallVec<[*const u8; 16]>, SmallVec<[*mut u8; 4]>, usize)> {
    let (mut read, mut written, mut count) = (SmallVec::new(), SmallVec::new(), usize::MAX);
    for input in inputs {
        read.push(try_cast_slice::<u8, f32>(input).ok()?.as_ptr().cast());
        count = count.min(input.len() / size_of::<f32>());
    }
    for output in outputs {
        count = count.min(output.len() / size_of::<f32>());
        written.push(try_cast_slice_mut::<u8, f32>(output).ok()?.as_mut_ptr().cast());
    }
    Some((read, written, count))
}

/// Elements of a block: as many as fit into the first-level cache for some operands.
const BLOCK: usize = 64;

/// Elements of a line of the caches, and how far ahead lines are fetched: a processor does not see the loads of the next block
/// while it computes one.
const LINE: usize = Line::SIZE / size_of::<f32>();
const AHEAD: usize = 8 * BLOCK;

/// Numbers of a block. None of their vectors lies in two lines of the caches.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Numbers([f32; BLOCK]);

instructions::for_wide_instructions! {
    /// Applies a function to the elements of some columns, block by block, so that its loop becomes vectors. A block is read
    /// before it is written.
    #[allow(clippy::needless_range_loop, reason = "iterators over arrays of arrays keep the loops from becoming vectors")]
    fn each_block[G: Fn([f64; I]) -> [f64; O], const I: usize, const O: usize](
        columns: &Columns<I, O>,
        function: &G,
    ) {
        // Behind the last elements is what was there before, of which nothing is kept.
        let (mut rows, mut made) = ([Numbers([0.0; BLOCK]); I], [Numbers([0.0; BLOCK]); O]);
        for first in (0..columns.count).step_by(BLOCK) {
            let count = BLOCK.min(columns.count - first);
            for operand in 0..I {
                let (from, to) = (columns.read[operand].cast::<f32>().wrapping_add(first), rows[operand].0.as_mut_ptr());
                for line in (0..BLOCK).step_by(LINE) {
                    prefetch(from.wrapping_add(AHEAD + line).cast(), false);
                }
                // SAFETY: there are so many elements. A whole block is copied by vectors.
                unsafe { if count == BLOCK { from.copy_to_nonoverlapping(to, BLOCK) } else { from.copy_to_nonoverlapping(to, count) } }
            }
            for index in 0..BLOCK {
                let mut numbers = [0.0; I];
                for operand in 0..I {
                    numbers[operand] = f64::from(rows[operand].0[index]);
                }
                let numbers = function(numbers);
                for operand in 0..O {
                    made[operand].0[index] = numbers[operand] as f32;
                }
            }
            for operand in 0..O {
                let (from, to) = (made[operand].0.as_ptr(), columns.written[operand].cast::<f32>().wrapping_add(first));
                // SAFETY: as above.
                unsafe { if count == BLOCK { from.copy_to_nonoverlapping(to, BLOCK) } else { from.copy_to_nonoverlapping(to, count) } }
            }
        }
    }
}

impl<F, G, const K: usize, const I: usize, const O: usize> LaneBody for Step<F, G, K, I, O>
where
    F: Fn([f64; K]) -> G + Send + Sync + 'static,
    G: Fn([f64; I]) -> [f64; O] + 'static,
{
    fn lane(&self, _: usize, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result {
        let done = self.each(inputs, outputs);
        debug_assert!(done.is_some(), "lanes are aligned and of one length");
        Ok(())
    }

    fn panel(&self, panel: Panel<'_, '_>) -> Result {
        self.lane(panel.first, panel.inputs, panel.outputs)
    }

    unsafe fn in_place(&self, inputs: &[*const u8], outputs: &[*mut u8], count: usize) -> bool {
        // SAFETY: by the contract.
        unsafe { self.of_columns(inputs, outputs, count) }.is_some()
    }

    fn steps(&self) -> Vec<&'static str> {
        vec![self.name]
    }
}
