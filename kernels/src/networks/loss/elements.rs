//! A function of the elements of some operands, with a result for each, or their sum.

use std::marker::PhantomData;

use aclnn_numerics::DType;
use bytemuck::Pod;

use super::{numbers, numbers_mut};
use crate::views::failure::Result;
use crate::{LaneBody, LaneFunction, Panel};

/// A type in which elements are computed.
pub trait Number: Pod + Send + Sync {
    const DTYPE: DType;
    /// The number that stands for an operand that is not there.
    const ONE: Self;
    const ZERO: Self;

    fn plus(self, other: Self) -> Self;
    /// The quotient of a sum, which of integers is the sum itself.
    fn over(self, divisor: f64) -> Self;
}

impl Number for f64 {
    const DTYPE: DType = DType::F64;
    const ONE: Self = 1.0;
    const ZERO: Self = 0.0;

    fn plus(self, other: Self) -> Self {
        self + other
    }
    fn over(self, divisor: f64) -> Self {
        self / divisor
    }
}

impl Number for i64 {
    const DTYPE: DType = DType::I64;
    const ONE: Self = 1;
    const ZERO: Self = 0;

    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
    fn over(self, _: f64) -> Self {
        self
    }
}

/// A function of one element of each operand.
pub struct Elements<T, const N: usize, F> {
    /// Which operands are there.
    present: [bool; N],
    /// Whether the results of a lane are added up.
    sums: bool,
    function: F,
    number: PhantomData<fn() -> T>,
}

impl<T: Number, const N: usize, F: Fn([T; N]) -> T> Elements<T, N, F> {
    pub fn new(present: [bool; N], sums: bool, function: F) -> Self {
        Self { present, sums, function, number: PhantomData }
    }

    fn compute(&self, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) {
        let mut given = inputs.iter();
        let operands: [Option<&[T]>; N] =
            self.present.map(|is_there| is_there.then(|| given.next().map_or(&[][..], |lane| numbers(lane))));
        let count = operands.iter().flatten().next().map_or(0, |operand| operand.len());
        let element = |index: usize| {
            let one = |operand: Option<&[T]>| operand.and_then(|operand| operand.get(index).copied());
            (self.function)(operands.map(|operand| one(operand).unwrap_or(T::ONE)))
        };
        let Some(output) = outputs.first_mut().map(|output| numbers_mut::<T>(output)) else { return };
        match output {
            [sum] if self.sums => *sum = (0..count).map(element).fold(T::ZERO, T::plus),
            output => output.iter_mut().enumerate().for_each(|(index, output)| *output = element(index)),
        }
    }
}

impl<T: Number, const N: usize, F: Fn([T; N]) -> T + Send + Sync> LaneBody for Elements<T, N, F> {
    fn lane(&self, _: usize, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result {
        self.compute(inputs, outputs);
        Ok(())
    }

    fn panel(&self, panel: Panel<'_, '_>) -> Result {
        match self.sums {
            true => panel.each(&mut |number, inputs, outputs| self.lane(number, inputs, outputs)),
            // Elements of neighbouring lanes are neighbours.
            false => self.lane(panel.first, panel.inputs, panel.outputs),
        }
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["loss"]
    }
}

/// Computes the sum of a lane, over a divisor.
pub fn total<T: Number>(divisor: f64) -> LaneFunction {
    LaneFunction::new("sum", move |_, inputs: &[&[u8]], outputs: &mut [&mut [u8]]| {
        if let ([lane], [output]) = (inputs, outputs)
            && let [output] = numbers_mut::<T>(output)
        {
            *output = numbers::<T>(lane).iter().copied().fold(T::ZERO, T::plus).over(divisor);
        }
        Ok(())
    })
}
