//! Plans of a function of the elements at one position of the tensors of lists.

use aclnn_numerics::DType;
use aclnn_numerics::layout::Shape;
use aclnn_numerics::types_by_product::Types;
use cann_kernels::{Elementwise, Function, Source, size_of_dtype};
use smallvec::SmallVec;

use super::lists::{Given, Lists};
use super::numbers;
use crate::operators::call::{Call, Operand, Plan, workspace};
use crate::operators::combination::{constant, no_kernel};
use crate::operators::conversions;
use crate::operators::plan_builder::{Place, PlanBuilder};
use crate::status::Result;

/// Plans the function, which takes its operands in the order of the parameters.
pub(super) fn plan(call: &Call<'_>, takes: Types, function: fn(DType) -> Option<Function>) -> Result<Plan> {
    let lists = Lists::of(call)?;
    let Some(dtype) = lists.dtype(takes)? else { return Ok(Plan::empty()) };
    lists.same_shapes()?;
    let compute = numbers::computed(dtype);
    let function = function(compute).ok_or_else(|| no_kernel(dtype))?;
    let mut builder = PlanBuilder::new();
    for index in 0..lists.outputs.len() {
        let mut stage = Stage { sources: SmallVec::new(), places: Vec::new() };
        let output = &lists.outputs[index];
        let shape = output.shape()?;
        for given in &lists.given {
            match given {
                Given::Tensors(tensors) => {
                    let tensor = &tensors[index];
                    let place = builder.read(tensor, tensor.view(dtype, shape)?, true);
                    stage.read(place, dtype, compute)?;
                }
                Given::Tensor(tensor) => {
                    let (own, is_for_each) = numbers::in_tensor(call, tensor, dtype, lists.outputs.len())?;
                    let place =
                        repeated(&mut builder, tensor, own, if is_for_each { index } else { 0 }, shape)?;
                    stage.read(place, own, compute)?;
                }
                Given::Scalar(scalar) => {
                    stage.sources.push(constant(scalar, numbers::converted(call, scalar, dtype)?, compute)?);
                }
                Given::Scalars(scalars) => {
                    numbers::listed(&scalars[index], dtype)?;
                    stage.sources.push(constant(&scalars[index], compute, compute)?);
                }
            }
        }
        if shape.is_empty_tensor() {
            continue;
        }
        let body = Elementwise {
            sources: stage.sources,
            scale: None,
            function: Some(function),
            fused: None,
            result: conversions::through(&[compute, dtype])?,
            compute_size: size_of_dtype(compute),
        };
        let written = builder.write(output, dtype, output.view(dtype, shape)?, true)?;
        builder.elements(&stage.places, written, shape, body);
    }
    finish(builder, &lists)
}

/// The operands of a function in the making.
struct Stage {
    sources: SmallVec<[Source; 2]>,
    places: Vec<Place>,
}

impl Stage {
    fn read(&mut self, place: Place, dtype: DType, compute: DType) -> Result {
        let conversions = conversions::through(&[dtype, compute])?;
        self.sources.push(Source::Tensor { input: self.places.len(), conversions });
        self.places.push(place);
        Ok(())
    }
}

/// One element of a tensor as all elements of a shape.
pub(super) fn repeated(
    builder: &mut PlanBuilder,
    tensor: &Operand,
    dtype: DType,
    index: usize,
    shape: &Shape,
) -> Result<Place> {
    let (mut rest, mut offset) = (index, tensor.offset());
    for (size, stride) in tensor.shape()?.iter().zip(tensor.strides()).rev() {
        offset = offset.saturating_add(((rest % size) as i64).saturating_mul(stride as i64));
        rest /= size;
    }
    let strides: SmallVec<[isize; 8]> = SmallVec::from_elem(0, shape.rank());
    let view = tensor.view_of(dtype, shape, &strides, offset)?;
    Ok(builder.read(tensor, view, true))
}

/// The plan of functions of one tensor after the other, where a tensor may be there several times.
pub(super) fn finish(builder: PlanBuilder, lists: &Lists) -> Result<Plan> {
    let tensors = lists.tensors().chain([&lists.outputs]).flatten();
    let kept = |tensor: &Operand| tensor.known_dtype()?.storage_bytes(tensor.shape().ok()?.numel()?);
    let temporaries = tensors.filter(|tensor| !tensor.is_contiguous()).map(kept);
    Ok(builder.in_sequence().plan(workspace(temporaries)))
}
