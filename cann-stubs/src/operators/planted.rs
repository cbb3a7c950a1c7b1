//! Planted defects before a kernel and behind it.

use std::sync::Arc;
use std::time::Duration;

use aclnn_numerics::DType;
use aclnn_numerics::convert::Converter;
use cann_kernels::{Bound, Cause, Failure, Result, Sizes, Whole};

use crate::runtime::memory;
use crate::sync::BiasedLock;

/// The elements of operands before a launch, inputs first.
pub(super) type Kept = Arc<BiasedLock<Vec<Vec<u8>>>>;

/// A change beside a kernel: after it, but for `Keep`.
pub(super) enum Planted {
    /// Keeps the elements of all operands.
    Keep {
        kept: Kept,
    },
    /// Rounds each result to a type and back.
    Through {
        there: Converter,
        back: Converter,
        size: usize,
    },
    Rounded(Rounded),
    /// Changes what the kernel clamped.
    Clamped {
        clamping: Clamping,
        convert: Converter,
        kept: Kept,
    },
    /// Moves each element one place to the front.
    Index,
    /// Writes the elements back that were in the last quarter of a result.
    Stale {
        kept: Kept,
    },
    /// Replaces what is not a number by 0.
    NoNan {
        output: Converter,
    },
    Past,
    Leak,
    Crash,
    Hang,
}

/// Results that are rounded in another way.
pub(super) struct Rounded {
    pub(super) way: Way,
    pub(super) inputs: Vec<Converter>,
    /// What is computed of operands, and of alpha, before it is rounded.
    pub(super) exact: fn(&[f64], f64) -> f64,
    pub(super) alpha: f64,
    /// Whether it is computed in f32.
    pub(super) is_single: bool,
    /// The type of the result.
    pub(super) dtype: DType,
    pub(super) output: Converter,
}

#[derive(Clone, Copy)]
pub(super) enum Way {
    Truncate,
    TiesAway,
    Saturate,
    Wrap,
}

/// The fate of an element beyond a bound.
#[derive(Clone, Copy)]
pub(super) enum Clamping {
    ToTheOther,
    Never,
}

/// Bytes of an element of f64, in which results are looked at.
const WIDE: usize = size_of::<f64>();

/// Bytes of device memory that a launch keeps.
const KEPT: usize = 64 << 10;

impl Planted {
    /// The elements that are to be kept for it.
    pub(super) fn keeps(&self) -> Option<Kept> {
        match self {
            Planted::Clamped { kept, .. } | Planted::Stale { kept } => Some(Arc::clone(kept)),
            _ => None,
        }
    }
}

impl Whole for Planted {
    fn run(&self, inputs: &[Bound<'_>], outputs: &[Bound<'_>], _: &mut Sizes) -> Result {
        if let Planted::Keep { kept } = self {
            let copies = inputs.iter().chain(outputs).map(Bound::copy).collect::<Result<Vec<_>>>()?;
            *kept.lock() = copies;
            return Ok(());
        }
        for (number, output) in outputs.iter().enumerate() {
            match self {
                Planted::Keep { .. } => {}
                Planted::Through { there, back, size } => change(output, |bytes| {
                    let mut rounded = vec![0; bytes.len() / output.size() * size];
                    there(bytes, &mut rounded);
                    back(&rounded, bytes);
                })?,
                Planted::Rounded(rounded) => rounded.change(inputs, output)?,
                Planted::Clamped { clamping, convert, kept } => {
                    // The first operand, which a form in place writes.
                    let before = kept.lock().first().cloned().unwrap_or_default();
                    change(output, |bytes| clamp(*clamping, *convert, &before, bytes, output.size()))?;
                }
                Planted::Index => change(output, |bytes| bytes.rotate_left(output.size().min(bytes.len())))?,
                Planted::Stale { kept } => {
                    let before = kept.lock().get(inputs.len() + number).cloned().unwrap_or_default();
                    change(output, |bytes| {
                        let first = output.numel() * 3 / 4 * output.size();
                        let rest = bytes.iter_mut().zip(before).skip(first);
                        rest.for_each(|(byte, before)| *byte = before);
                    })?;
                }
                Planted::NoNan { output: convert } => change(output, |bytes| {
                    let results = wide(bytes, output.size(), *convert);
                    for (element, result) in bytes.chunks_exact_mut(output.size()).zip(results) {
                        if result.is_nan() {
                            element.fill(0);
                        }
                    }
                })?,
                Planted::Past => change_next(output),
                Planted::Leak => memory::lose(output.address(), KEPT)
                    .map_err(|why| Failure::new(Cause::AiCore, &why.message))?,
                Planted::Crash => crash(),
                Planted::Hang => loop {
                    std::thread::sleep(Duration::from_secs(3600));
                },
            }
        }
        Ok(())
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["planted defect"]
    }
}

impl Rounded {
    fn change(&self, inputs: &[Bound<'_>], output: &Bound<'_>) -> Result {
        let given = inputs.iter().zip(&self.inputs);
        let given: Vec<Vec<f64>> = given
            .map(|(input, convert)| Ok(wide(&input.copy()?, input.size(), *convert)))
            .collect::<Result<_>>()?;
        change(output, |bytes| {
            let results = wide(bytes, output.size(), self.output);
            for (number, (element, result)) in bytes.chunks_exact_mut(output.size()).zip(results).enumerate()
            {
                let operands: Vec<f64> =
                    given.iter().filter_map(|operand| operand.get(number).copied()).collect();
                let exact = (self.exact)(&operands, self.alpha);
                let exact = if self.is_single { f64::from(exact as f32) } else { exact };
                self.round(exact, result, element);
            }
        })
    }

    /// Changes an element that is rounded to the nearest, so that it is rounded in another way.
    fn round(&self, exact: f64, nearest: f64, element: &mut [u8]) {
        let limits = limits(self.dtype);
        match (self.way, limits) {
            (Way::Truncate, _) if nearest.abs() > exact.abs() => step(element, false),
            (Way::TiesAway, _) if nearest.abs() < exact.abs() && exact.is_finite() => {
                let mut other = element.to_vec();
                step(&mut other, true);
                let next = wide(&other, other.len(), self.output).first().copied().unwrap_or(nearest);
                if exact - nearest == next - exact {
                    element.copy_from_slice(&other);
                }
            }
            (Way::Saturate, None) if nearest.is_infinite() && exact.is_finite() => step(element, false),
            (Way::Saturate, Some((least, greatest))) if exact < least as f64 || exact > greatest as f64 => {
                let limit = if exact < 0.0 { least } else { greatest };
                write_low(limit, element);
            }
            (Way::Wrap, Some((least, greatest))) if exact < least as f64 || exact > greatest as f64 => {
                write_low(exact as i128, element);
            }
            _ => {}
        }
    }
}

/// The least and the greatest number of an integer type.
fn limits(dtype: DType) -> Option<(i128, i128)> {
    let is_unsigned = matches!(dtype, DType::U8 | DType::U16 | DType::U32 | DType::U64);
    let bits = dtype.bits() as u32;
    match dtype.is_integer() {
        true if is_unsigned => Some((0, (1 << bits) - 1)),
        true => Some((-(1 << (bits - 1)), (1 << (bits - 1)) - 1)),
        false => None,
    }
}

/// Writes the lowest bits of a number.
fn write_low(number: i128, element: &mut [u8]) {
    for (byte, low) in element.iter_mut().zip(number.to_le_bytes()) {
        *byte = low;
    }
}

/// Changes what differs from the operand.
fn clamp(clamping: Clamping, convert: Converter, before: &[u8], bytes: &mut [u8], size: usize) {
    let results = wide(bytes, size, convert);
    let finite = || results.iter().filter(|result| result.is_finite());
    let greatest = finite().copied().fold(f64::NEG_INFINITY, f64::max);
    let place = |wanted: f64| results.iter().position(|result| *result == wanted);
    let least = finite().copied().fold(f64::INFINITY, f64::min);
    let of = |place: Option<usize>| Some(bytes.get(place? * size..)?.get(..size)?.to_vec());
    let (Some(low), Some(high)) = (of(place(least)), of(place(greatest))) else { return };
    for ((element, before), result) in
        bytes.chunks_exact_mut(size).zip(before.chunks_exact(size)).zip(&results)
    {
        if element == before {
            continue;
        }
        match clamping {
            Clamping::Never => element.copy_from_slice(before),
            Clamping::ToTheOther if *result == greatest => element.copy_from_slice(&low),
            Clamping::ToTheOther => element.copy_from_slice(&high),
        }
    }
}

/// Changes the bytes behind the last element, as many as an element has, where there is device memory.
fn change_next(output: &Bound<'_>) {
    if let Ok(next) = memory::device_bytes(output.address() + output.span(), output.size()) {
        for byte in 0..output.size() {
            // SAFETY: the bytes were just found; as on a device, the program orders the work that uses them.
            unsafe { *next.add(byte) ^= 0xff };
        }
    }
}

/// Changes the elements of an output, as if they lay one after the other.
fn change(output: &Bound<'_>, change: impl FnOnce(&mut [u8])) -> Result {
    let mut bytes = output.copy()?;
    change(&mut bytes);
    output.scatter(0..output.numel(), &bytes);
    Ok(())
}

fn wide(bytes: &[u8], size: usize, convert: Converter) -> Vec<f64> {
    let mut wide = vec![0; bytes.len() / size.max(1) * WIDE];
    convert(bytes, &mut wide);
    wide.as_chunks::<WIDE>().0.iter().map(|bytes| f64::from_ne_bytes(*bytes)).collect()
}

/// Makes a float the next one away from 0, or one that is not 0 the next one towards it; its bits are sign and magnitude.
fn step(element: &mut [u8], away: bool) {
    for byte in element {
        let (changed, carries) = if away { byte.overflowing_add(1) } else { byte.overflowing_sub(1) };
        *byte = changed;
        if !carries {
            return;
        }
    }
}

fn crash() {
    // A handler that waits for the same access again, as that of Rust does, would let the process live.
    // SAFETY: the default action is good for every signal, and raising one has no condition.
    unsafe {
        libc::signal(libc::SIGSEGV, libc::SIG_DFL);
        libc::raise(libc::SIGSEGV);
    }
}
