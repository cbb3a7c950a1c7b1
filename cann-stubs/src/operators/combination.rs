//! Computation of elements from the elements of several operands at the same position, once types and shapes are known.

use aclnn_numerics::DType;
use aclnn_numerics::layout::Shape;
use aclnn_sys::ACLNN_ERR_INNER_NULLPTR;
use cann_kernels::functions::arithmetic::compute_type;
use cann_kernels::{Block, Elementwise, Function, Source, size_of_dtype};
use smallvec::SmallVec;

use super::axes::temporaries;
use super::call::{Operand, Plan, Tasks};
use super::conversions::through;
use crate::compute::units;
use crate::meta::scalar::Scalar;
use crate::settings;
use crate::status::{Result, Status};

/// An operand, and the types that its elements pass through.
pub(super) struct Value<'a> {
    given: Given<'a>,
    /// The type that the operand is converted to.
    to: DType,
    /// The type in which the function takes it.
    compute: DType,
}

#[derive(Clone, Copy)]
pub(super) enum Given<'a> {
    Tensor(&'a Operand<'a>, DType),
    Scalar(&'a Scalar),
}

impl<'a> Given<'a> {
    /// The operand, converted to a type and computed as that type is.
    pub(super) fn promoted(self, to: DType) -> Value<'a> {
        Value { given: self, to, compute: compute_type(to) }
    }

    /// The operand, converted to a type and taken as it is stored.
    pub(super) fn stored(self, to: DType) -> Value<'a> {
        Value { given: self, to, compute: to }
    }
}

/// An operator whose types and shapes are known.
pub(super) struct Combination<'a> {
    pub(super) values: SmallVec<[Value<'a>; 4]>,
    pub(super) function: Function,
    /// The type that the function makes.
    pub(super) made: DType,
    /// The type that this is rounded to.
    pub(super) result: DType,
    pub(super) output: (&'a Operand<'a>, DType),
    pub(super) shape: &'a Shape,
    /// Whether the AI cores compute it, when they convert its operands and its result.
    pub(super) on_cores: bool,
}

/// What a plan is made of.
pub(super) struct Parts<'a> {
    pub(super) inputs: SmallVec<[(&'a Operand<'a>, DType); 3]>,
    pub(super) body: Elementwise,
    /// That of a device, which converts its operands first.
    pub(super) workspace: u64,
}

impl<'a> Combination<'a> {
    /// The types that the tensors are converted to.
    fn converted(&self) -> impl Iterator<Item = DType> + Clone {
        let tensors = self.values.iter().filter(|value| matches!(value.given, Given::Tensor(..)));
        tensors.map(|value| value.to)
    }

    pub(super) fn parts(&self) -> Result<Parts<'a>> {
        let (output, out) = self.output;
        let mut inputs: SmallVec<[(&'a Operand, DType); 3]> = SmallVec::new();
        let mut sources = SmallVec::new();
        for Value { given, to, compute } in &self.values {
            sources.push(match given {
                Given::Tensor(operand, dtype) => {
                    inputs.push((operand, *dtype));
                    let conversions = through(&[*dtype, *to, *compute])?;
                    Source::Tensor { input: inputs.len() - 1, conversions }
                }
                Given::Scalar(scalar) => constant(scalar, *to, *compute)?,
            });
        }
        let body = Elementwise {
            sources,
            scale: None,
            function: Some(self.function),
            fused: None,
            result: through(&[self.made, self.result, out])?,
            compute_size: size_of_dtype(self.made),
        };
        let operands = inputs.iter().zip(self.converted());
        let mut workspace = temporaries(&[(output, out, self.result)]);
        for ((operand, from), to) in operands {
            workspace = workspace.saturating_add(temporaries(&[(*operand, *from, to)]));
        }
        Ok(Parts { inputs, body, workspace })
    }

    /// Plans the computation.
    pub(super) fn plan(&self) -> Result<Plan> {
        let (output, out) = self.output;
        let Parts { inputs, body, workspace } = self.parts()?;
        let product = settings::get().product;
        let operands = inputs.iter().zip(self.converted());
        let conversions = operands.map(|((_, from), to)| (*from, to)).chain([(self.result, out)]);
        let converts_there = |(from, to)| units::converts(product, from, to);
        let on_cores = self.on_cores && conversions.clone().all(converts_there);
        let converts = conversions.map(|(from, to)| from != to);
        let tasks = if on_cores { Tasks::Cores } else { Tasks::Processors };
        Ok(Plan::new(&inputs, (output, out), self.shape, workspace, body)?.converting(converts).by(tasks))
    }
}

/// A scalar in the compute type, after it was converted to the operands' type.
pub(super) fn constant(scalar: &Scalar, to: DType, compute: DType) -> Result<Source> {
    let converted = scalar.converted(to).ok_or_else(|| no_kernel(to))?;
    let mut element = [0; 16];
    let element = &mut element[..size_of_dtype(compute)];
    through(&[to, compute])?.apply(1, &converted[..size_of_dtype(to)], element, &mut Block::new());
    Ok(Source::Constant { block: Box::new(Block::filled_with(element)), size: element.len() })
}

/// The failure of an operator that does not compute in a type.
pub(super) fn no_kernel(dtype: DType) -> Status {
    Status::new(ACLNN_ERR_INNER_NULLPTR, format_args!("there is no kernel for {dtype}"))
}
