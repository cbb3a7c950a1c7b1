//! Reducers: the state of a reduction, the addition of an element to it, and the merge of two states.

use std::marker::PhantomData;

use bytemuck::Pod;
use num_complex::Complex64;

use super::loops::{GROUP, LANES, Reducer, Step};
use super::numbers::{Number, Widen, Word};
use crate::functions::special::{native, single};

/// The elements that become one before they are added to a state of words: of those that have fewer bits than a word.
const fn group<E, W>() -> usize {
    if size_of::<E>() < size_of::<W>() { GROUP } else { 1 }
}

/// The sum of numbers `E` as a word.
#[derive(Clone, Copy)]
pub(super) struct Sum<E, W> {
    /// The function that makes the result of the sum and the count: a mean, for example. Without it the sum is the result.
    pub(super) result: Option<fn(W, usize) -> W>,
    pub(super) element: PhantomData<E>,
}

impl<E: Number + Widen<W>, W: Word> Reducer<1> for Sum<E, W> {
    type Word = W;
    type Element = E;

    const GROUP: usize = group::<E, W>();

    fn none(self, _: W) -> [W; 1] {
        [W::ZERO]
    }

    #[inline(always)]
    fn add(self, [sum]: [W; 1], x: E, _: Step<W>) -> [W; 1] {
        [sum.plus(x.widen())]
    }

    #[inline(always)]
    fn join(self, a: E, b: E) -> E {
        a.plus(b)
    }

    #[inline(always)]
    fn merge(self, [a]: [W; 1], [b]: [W; 1], _: [W; 2]) -> [W; 1] {
        [a.plus(b)]
    }

    fn finish(self, [sum]: [W; 1], count: usize) -> [W; 2] {
        [self.result.map_or(sum, |result| result(sum, count)), W::ZERO]
    }
}

/// The product of numbers `E` as a word. One of f32 is rounded to it at each step, so that it overflows where a device
/// overflows.
#[derive(Clone, Copy)]
pub(super) struct Product<E, W>(pub(super) PhantomData<(E, W)>);

impl<E: Number + Widen<W>, W: Word> Reducer<1> for Product<E, W> {
    type Word = W;
    type Element = E;

    const GROUP: usize = group::<E, W>();

    fn none(self, _: W) -> [W; 1] {
        [W::ONE]
    }

    #[inline(always)]
    fn add(self, product: [W; 1], x: E, step: Step<W>) -> [W; 1] {
        self.merge(product, [x.widen()], [step.number; 2])
    }

    #[inline(always)]
    fn join(self, a: E, b: E) -> E {
        a.times(b)
    }

    #[inline(always)]
    fn merge(self, [a]: [W; 1], [b]: [W; 1], _: [W; 2]) -> [W; 1] {
        let product = a.times(b);
        [if Self::GROUP > 1 { product.as_f32() } else { product }]
    }

    fn finish(self, [product]: [W; 1], _: usize) -> [W; 2] {
        [product, W::ZERO]
    }
}

/// The greatest or the smallest of numbers `E` as a word; NaN where there is one.
#[derive(Clone, Copy)]
pub(super) struct Extreme<E, W, const GREATEST: bool>(pub(super) PhantomData<(E, W)>);

impl<E: Number + Widen<W>, W: Word, const GREATEST: bool> Reducer<1> for Extreme<E, W, GREATEST> {
    type Word = W;
    type Element = E;

    const GROUP: usize = group::<E, W>();
    const JOINS_MORE: bool = true;

    fn none(self, _: W) -> [W; 1] {
        [if GREATEST { W::LEAST } else { W::MOST }]
    }

    #[inline(always)]
    fn add(self, [best]: [W; 1], x: E, _: Step<W>) -> [W; 1] {
        [best.extreme::<GREATEST>(x.widen())]
    }

    #[inline(always)]
    fn join(self, a: E, b: E) -> E {
        a.extreme::<GREATEST>(b)
    }

    #[inline(always)]
    fn merge(self, [a]: [W; 1], [b]: [W; 1], _: [W; 2]) -> [W; 1] {
        [a.extreme::<GREATEST>(b)]
    }

    fn finish(self, [best]: [W; 1], _: usize) -> [W; 2] {
        // What joins brought in beside it depends on their order.
        [best.with_one_nan(), W::ZERO]
    }
}

/// The smallest and the greatest element.
#[derive(Clone, Copy)]
pub(super) struct Extremes<W>(pub(super) PhantomData<W>);

impl<W: Word> Reducer<2> for Extremes<W> {
    type Word = W;
    type Element = W;

    fn none(self, _: W) -> [W; 2] {
        [W::MOST, W::LEAST]
    }

    #[inline(always)]
    fn add(self, state: [W; 2], x: W, step: Step<W>) -> [W; 2] {
        self.merge(state, [x, x], [step.number; 2])
    }

    #[inline(always)]
    fn merge(self, a: [W; 2], b: [W; 2], _: [W; 2]) -> [W; 2] {
        [a[0].extreme::<false>(b[0]), a[1].extreme::<true>(b[1])]
    }

    fn finish(self, extremes: [W; 2], _: usize) -> [W; 2] {
        extremes
    }
}

/// The first of the greatest or smallest elements, and its number. NaN counts as greater, or smaller, than all numbers.
#[derive(Clone, Copy)]
pub(super) struct Position<W, const GREATEST: bool>(pub(super) PhantomData<W>);

#[inline(always)]
#[expect(clippy::eq_op, reason = "a NaN alone differs from itself")]
fn is_nan<W: Word>(x: W) -> bool {
    x != x
}

impl<W: Word, const GREATEST: bool> Reducer<2> for Position<W, GREATEST> {
    type Word = W;
    type Element = W;

    const HOLDS_STEPS: bool = true;

    fn none(self, step: W) -> [W; 2] {
        [if GREATEST { W::LEAST } else { W::MOST }, step]
    }

    #[inline(always)]
    fn add(self, [best, at]: [W; 2], x: W, step: Step<W>) -> [W; 2] {
        let wins = if GREATEST { x > best } else { x < best } | (is_nan(x) & !is_nan(best));
        [if wins { x } else { best }, if wins { step.number } else { at }]
    }

    fn settle(self, [best, step]: [W; 2], lane: usize) -> [W; 2] {
        [best, step.times(W::of(LANES)).plus(W::of(lane))]
    }

    #[inline(always)]
    fn merge(self, [a, at_a]: [W; 2], [b, at_b]: [W; 2], _: [W; 2]) -> [W; 2] {
        let wins = if GREATEST { b > a } else { b < a } | (is_nan(b) & !is_nan(a));
        let equals = (a == b) | (is_nan(a) & is_nan(b));
        if wins | (equals & (at_b < at_a)) { [b, at_b] } else { [a, at_a] }
    }

    fn finish(self, state: [W; 2], _: usize) -> [W; 2] {
        state
    }
}

/// The parameters of a variance or a standard deviation, beside the moments.
#[derive(Clone, Copy, Debug)]
pub struct Spread {
    /// The number that is subtracted from the count.
    pub correction: i64,
    /// Whether the result is the standard deviation.
    pub is_root: bool,
    /// The type to which the mean is rounded before distances from it are computed.
    pub rounded: fn(f64) -> f64,
    /// Whether the sum of squares is multiplied by the reciprocal of the count in f32.
    pub scales: bool,
    /// Whether elements that are all equal have no variance where the correction leaves no count.
    pub forgets_equals: bool,
}

impl Spread {
    fn of(self, mean: f64, squares: f64, count: usize) -> f64 {
        let left = count as i128 - i128::from(self.correction);
        let off = mean - (self.rounded)(mean);
        let squares = squares + if off.is_finite() { count as f64 * off * off } else { 0.0 };
        let variance = match count {
            _ if left > 0 && self.scales => f64::from(squares as f32 * (1.0 / left as f64) as f32),
            _ if left > 0 => squares / left as f64,
            0 | 1 => f64::NAN,
            _ if self.forgets_equals && squares as f32 == 0.0 => f64::NAN,
            _ => f64::INFINITY,
        };
        if self.is_root { variance.sqrt() } else { variance }
    }
}

/// The sum, and the sum of the squared distances from the mean.
#[derive(Clone, Copy)]
pub(super) struct Moments {
    pub(super) spread: Spread,
}

impl Reducer<2> for Moments {
    type Word = f64;
    type Element = f64;

    const COUNTS: bool = true;

    fn none(self, _: f64) -> [f64; 2] {
        [0.0; 2]
    }

    #[inline(always)]
    fn add(self, [sum, squares]: [f64; 2], x: f64, Step { count, .. }: Step<f64>) -> [f64; 2] {
        let scale = if count > 1.0 { 1.0 / (count * (count - 1.0)) } else { 0.0 };
        let sum = sum + x;
        let distance = count * x - sum;
        [sum, squares + distance * distance * scale]
    }

    #[inline(always)]
    fn merge(self, a: [f64; 2], b: [f64; 2], [of_a, of_b]: [f64; 2]) -> [f64; 2] {
        let scale = if of_a * of_b > 0.0 { 1.0 / (of_a * of_b * (of_a + of_b)) } else { 0.0 };
        let distance = of_b * a[0] - of_a * b[0];
        [a[0] + b[0], a[1] + b[1] + distance * distance * scale]
    }

    fn finish(self, [sum, squares]: [f64; 2], count: usize) -> [f64; 2] {
        let mean = sum / count as f64;
        [self.spread.of(mean, squares, count), mean]
    }
}

/// The logarithm of the sum of the exponentials: the greatest element, and the sum of the others relative to it. Results that
/// are rounded to 16 bits need fewer digits: groups of elements become one in f32.
#[derive(Clone, Copy)]
pub(super) struct LogSumExp<E>(pub(super) PhantomData<E>);

/// Merges two states of a logarithm of a sum; the exponential is that of a number that is not positive.
macro_rules! merged {
    ($a:expr, $b:expr, $exponential:path) => {{
        let ([a, sum_a], [b, sum_b]) = ($a, $b);
        // Of equal infinities too.
        let share = $exponential(if a == b { 0.0 } else { -(a - b).abs() });
        if b > a { [b, sum_a * share + sum_b] } else { [a, sum_a + sum_b * share] }
    }};
}

/// An element, or some, as the state of a logarithm of a sum.
pub(super) trait LogSumPart: Pod + Send + Sync + 'static {
    const GROUP: usize;
    fn state(self) -> [f64; 2];
    fn join(self, other: Self) -> Self;
}

impl<E: LogSumPart> Reducer<2> for LogSumExp<E> {
    type Word = f64;
    type Element = E;

    const GROUP: usize = E::GROUP;

    fn none(self, _: f64) -> [f64; 2] {
        [f64::NEG_INFINITY, 0.0]
    }

    #[inline(always)]
    fn add(self, state: [f64; 2], x: E, step: Step<f64>) -> [f64; 2] {
        self.merge(state, x.state(), [step.number; 2])
    }

    #[inline(always)]
    fn join(self, a: E, b: E) -> E {
        a.join(b)
    }

    #[inline(always)]
    fn merge(self, a: [f64; 2], b: [f64; 2], _: [f64; 2]) -> [f64; 2] {
        merged!(a, b, single::exp)
    }

    fn finish(self, [greatest, sum]: [f64; 2], _: usize) -> [f64; 2] {
        [greatest + sum.ln(), 0.0]
    }
}

impl LogSumPart for f64 {
    const GROUP: usize = 1;

    #[inline(always)]
    fn state(self) -> [f64; 2] {
        [self, 1.0]
    }
    fn join(self, _: Self) -> Self {
        self
    }
}

impl LogSumPart for [f32; 2] {
    const GROUP: usize = GROUP;

    #[inline(always)]
    fn state(self) -> [f64; 2] {
        self.map(f64::from)
    }
    #[inline(always)]
    fn join(self, other: Self) -> Self {
        merged!(self, other, native::exp_of_distance)
    }
}

/// A sum or an extreme of a function of the elements, whether it is common, and a function of the result.
macro_rules! mapped {
    ($($(#[$doc:meta])* $Name:ident($x:ident) $common:literal: $by:expr, from $none:expr, of $of:expr => $result:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(super) struct $Name;

        impl Reducer<1> for $Name {
            type Word = f64;
            type Element = f64;

            const IS_COMMON: bool = $common;

            fn none(self, _: f64) -> [f64; 1] {
                [$none]
            }

            #[inline(always)]
            fn add(self, state: [f64; 1], $x: f64, step: Step<f64>) -> [f64; 1] {
                self.merge(state, [$of], [step.number; 2])
            }

            #[inline(always)]
            fn merge(self, [a]: [f64; 1], [b]: [f64; 1], _: [f64; 2]) -> [f64; 1] {
                [$by(a, b)]
            }

            fn finish(self, [$x]: [f64; 1], _: usize) -> [f64; 2] {
                [$result, 0.0]
            }
        }
    )*};
}

#[inline(always)]
fn plus(a: f64, b: f64) -> f64 {
    a + b
}

mapped! {
    /// The sum of the elements that are not NaN.
    NanSum(x) false: plus, from 0.0, of if x.is_nan() { 0.0 } else { x } => x;
    AbsoluteSum(x) false: plus, from 0.0, of x.abs() => x;
    /// The sum is one of f32 and overflows as such; so is that of other powers.
    Squares(x) true: plus, from 0.0, of x * x => f64::from(x as f32).sqrt();
    AbsoluteGreatest(x) false: f64::extreme::<true>, from 0.0, of x.abs() => x;
}

/// The sum or an extreme of what a function makes of each element, for functions that take long themselves or are rare: the
/// loops of all of them are compiled once.
#[derive(Clone, Copy)]
pub(super) struct ByFunction {
    /// The number that the functions of elements and of the result take first.
    number: f64,
    none: f64,
    of: fn(f64, f64) -> f64,
    merge: fn(f64, f64) -> f64,
    result: fn(f64, f64) -> f64,
}

impl ByFunction {
    /// The number of elements that are not zero.
    pub(super) fn non_zeros() -> Self {
        let of = |_, x| if x == 0.0 { 0.0 } else { 1.0 };
        Self { number: 0.0, none: 0.0, of, merge: plus, result: |_, count| count }
    }

    /// The root of the sum of powers; see [`Squares`].
    pub(super) fn powers(power: f64) -> Self {
        Self {
            number: power,
            of: |power, x| x.abs().powf(power),
            result: |power, sum| f64::from(sum as f32).powf(1.0 / power),
            ..Self::non_zeros()
        }
    }

    /// The smallest absolute value.
    pub(super) fn absolute_smallest() -> Self {
        Self { none: f64::INFINITY, of: |_, x| x.abs(), merge: f64::extreme::<false>, ..Self::non_zeros() }
    }
}

impl Reducer<1> for ByFunction {
    type Word = f64;
    type Element = f64;

    const IS_COMMON: bool = false;

    fn none(self, _: f64) -> [f64; 1] {
        [self.none]
    }

    #[inline(always)]
    fn add(self, state: [f64; 1], x: f64, step: Step<f64>) -> [f64; 1] {
        self.merge(state, [(self.of)(self.number, x)], [step.number; 2])
    }

    #[inline(always)]
    fn merge(self, [a]: [f64; 1], [b]: [f64; 1], _: [f64; 2]) -> [f64; 1] {
        [(self.merge)(a, b)]
    }

    fn finish(self, [x]: [f64; 1], _: usize) -> [f64; 2] {
        [(self.result)(self.number, x), 0.0]
    }
}

/// The sum or the product of complex numbers, whose parts are the state; the mean where the sum is divided.
#[derive(Clone, Copy)]
pub(super) struct ComplexSum {
    pub(super) divided: bool,
}

#[derive(Clone, Copy)]
pub(super) struct ComplexProduct;

impl Reducer<2> for ComplexSum {
    type Word = f64;
    type Element = Complex64;

    const IS_COMMON: bool = false;

    fn none(self, _: f64) -> [f64; 2] {
        [0.0; 2]
    }

    #[inline(always)]
    fn add(self, [re, im]: [f64; 2], x: Complex64, _: Step<f64>) -> [f64; 2] {
        [re + x.re, im + x.im]
    }

    fn merge(self, a: [f64; 2], b: [f64; 2], _: [f64; 2]) -> [f64; 2] {
        [a[0] + b[0], a[1] + b[1]]
    }

    fn finish(self, sum: [f64; 2], count: usize) -> [f64; 2] {
        if self.divided { sum.map(|part| part / count as f64) } else { sum }
    }
}

impl Reducer<2> for ComplexProduct {
    type Word = f64;
    type Element = Complex64;

    const IS_COMMON: bool = false;

    fn none(self, _: f64) -> [f64; 2] {
        [1.0, 0.0]
    }

    #[inline(always)]
    fn add(self, [re, im]: [f64; 2], x: Complex64, _: Step<f64>) -> [f64; 2] {
        let product = Complex64::new(re, im) * x;
        [product.re, product.im]
    }

    fn merge(self, a: [f64; 2], [re, im]: [f64; 2], [count, _]: [f64; 2]) -> [f64; 2] {
        self.add(a, Complex64::new(re, im), Step { number: count, count })
    }

    fn finish(self, product: [f64; 2], _: usize) -> [f64; 2] {
        product
    }
}
