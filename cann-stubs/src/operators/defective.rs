//! Operators that are wrong on purpose: plans and arguments with the defects of `defect` planted. Kernels know nothing of it.

use std::time::Duration;

use aclnn_numerics::DType;
use aclnn_numerics::convert::Converter;
use aclnn_numerics::convert::cann::converter;
use aclnn_sys::{ACLNN_ERR_PARAM_INVALID, ACLNN_ERR_PARAM_NULLPTR};

use super::argument::Argument;
use super::call::{Call, Plan};
use crate::defect::Kind;
use crate::kernels::{Bound, Sizes, Whole};
use crate::meta::tensor::{Contiguous, TENSORS};
use crate::runtime::memory;
use crate::settings;
use crate::status::Result;

/// Plans a call of the operator called `name` by `function`, with the defects that the operator has.
pub(super) fn plan(name: &str, call: &Call<'_>, function: fn(&Call<'_>) -> Result<Plan>) -> Result<Plan> {
    let mut defects = settings::get().defects.of(name).peekable();
    if defects.peek().is_none() {
        return function(call);
    }
    let (mut is_dense, mut swaps_codes) = (false, false);
    let mut planted: Vec<Planted> = Vec::new();
    for defect in defects {
        match defect {
            Kind::Strides => is_dense = true,
            Kind::Code => swaps_codes = true,
            Kind::Promotion => planted.extend(Planted::promotion(call)),
            Kind::Rounding => planted.extend(Planted::rounding(call)),
            Kind::Nan => planted.extend(Planted::nan(call)),
            Kind::Past => planted.push(Planted::Past),
            Kind::Leak => planted.push(Planted::Leak),
            Kind::Crash => planted.push(Planted::Crash),
            Kind::Hang => planted.push(Planted::Hang),
            Kind::Missing => {}
        }
    }
    let planned = if is_dense { plan_dense(call, function) } else { function(call) };
    let planned = planned.map_err(|status| match status.code {
        _ if !swaps_codes => status,
        ACLNN_ERR_PARAM_INVALID => status.with_code(ACLNN_ERR_PARAM_NULLPTR),
        _ => status.with_code(ACLNN_ERR_PARAM_INVALID),
    });
    Ok(planted.into_iter().fold(planned?, Plan::followed_by))
}

/// Plans with every tensor as if its elements lay one after the other, where its storage has room for them.
fn plan_dense(call: &Call<'_>, function: fn(&Call<'_>) -> Result<Plan>) -> Result<Plan> {
    let dense: Vec<Option<Contiguous>> = call
        .arguments
        .iter()
        .map(|argument| match argument {
            Argument::Tensor(handle) => Contiguous::of(*handle),
            _ => None,
        })
        .collect();
    let instead = |(argument, dense): (&Argument, &Option<Contiguous>)| {
        dense.as_ref().map_or(*argument, |dense| Argument::Tensor(dense.handle()))
    };
    let arguments: Vec<Argument> = call.arguments.iter().zip(&dense).map(instead).collect();
    function(&Call { info: call.info, arguments: &arguments })
}

/// What is done after a kernel.
enum Planted {
    /// Rounds each result to a type and back.
    Through {
        there: Converter,
        back: Converter,
        size: usize,
    },
    /// Makes a result the next smaller one if it is greater than its input, both in absolute value.
    Truncated {
        input: Converter,
        output: Converter,
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

/// Bytes of an element of f64, in which results are looked at.
const WIDE: usize = size_of::<f64>();

/// Bytes of device memory that a launch keeps.
const KEPT: usize = 64 << 10;

impl Planted {
    fn promotion(call: &Call<'_>) -> Option<Self> {
        let types = inputs(call);
        let (first, out) = (*types.first()?, output(call)?);
        let (there, back) = (converter(out, first)?, converter(first, out)?);
        let is_mixed = types.iter().any(|dtype| *dtype != first);
        is_mixed.then_some(Planted::Through { there, back, size: first.storage_bytes(1)? })
    }

    fn rounding(call: &Call<'_>) -> Option<Self> {
        let (from, to) = (*inputs(call).last()?, output(call)?);
        let narrows = from.is_float() && to.is_float() && to.bits() < from.bits();
        let (input, output) = (converter(from, DType::F64)?, converter(to, DType::F64)?);
        narrows.then_some(Planted::Truncated { input, output })
    }

    fn nan(call: &Call<'_>) -> Option<Self> {
        let out = output(call).filter(|dtype| dtype.is_float())?;
        Some(Planted::NoNan { output: converter(out, DType::F64)? })
    }
}

/// The types of the operands that are read.
fn inputs(call: &Call<'_>) -> Vec<DType> {
    let mut types: Vec<DType> = call.arguments.iter().filter_map(dtype).collect();
    if !call.is_in_place() {
        types.pop();
    } else if call.has("src") {
        types.remove(0);
    }
    types
}

fn output(call: &Call<'_>) -> Option<DType> {
    call.output().ok()?.known_dtype()
}

fn dtype(argument: &Argument) -> Option<DType> {
    match argument {
        Argument::Tensor(handle) => TENSORS.with(*handle, |tensor| tensor.description.known_dtype()).ok()?,
        _ => None,
    }
}

impl Whole for Planted {
    fn run(&self, inputs: &[Bound<'_>], outputs: &[Bound<'_>], _: &mut Sizes) -> Result {
        for output in outputs {
            match self {
                Planted::Through { there, back, size } => change(output, |bytes| {
                    let mut rounded = vec![0; bytes.len() / output.size() * size];
                    there(bytes, &mut rounded);
                    back(&rounded, bytes);
                })?,
                Planted::Truncated { input, output: convert } => {
                    let Some(from) = inputs.first() else { continue };
                    let given = wide(&from.copy()?, from.size(), *input);
                    change(output, |bytes| {
                        let results = wide(bytes, output.size(), *convert);
                        let elements = bytes.chunks_exact_mut(output.size());
                        for (element, (result, given)) in elements.zip(results.iter().zip(&given)) {
                            if result.abs() > given.abs() {
                                decrease(element);
                            }
                        }
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
                Planted::Past => output.change_next(),
                Planted::Leak => memory::lose(output.address(), KEPT)?,
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

/// Makes a float that is not 0 the next one towards 0; its bits are sign and magnitude.
fn decrease(element: &mut [u8]) {
    for byte in element {
        let (less, borrows) = byte.overflowing_sub(1);
        *byte = less;
        if !borrows {
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
