//! Products with weights of integers, which become floats by a shift and a scale of each column or group.

use aclnn_numerics::DType::{self, BF16, F16, F32, I4, I8, I32, I64, U64};
use aclnn_numerics::layout::Shape;
use aclnn_numerics::product::Product::{Ascend310P, Ascend910, Ascend950};
use aclnn_sys::ACLNN_ERR_RUNTIME_ERROR;
use cann_kernels::products::matrix::{Antiquant, Spread, Step};

use super::operands::{Fusion, Matrices, lies_by_columns, one_of, products, rounding};
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::{check, signatures};
use crate::settings;
use crate::status::{Result, Status};

/// The most rows and columns of a weight before the 950.
const MOST: usize = 65535;

pub(super) fn weight_quant_batch_matmul(call: &Call<'_>) -> Result<Plan> {
    let (x, weight, y) = (call.tensor("x")?, call.tensor("weight")?.taken_transposed(), call.tensor("y")?);
    let scale = call.tensor("antiquantScale")?.taken_transposed();
    let offset = call.optional_tensor("antiquantOffsetOptional")?.map(Operand::taken_transposed);
    let quant_scale = call.optional_tensor("quantScaleOptional")?;
    let quant_offset = call.optional_tensor("quantOffsetOptional")?;
    let bias = call.optional_tensor("biasOptional")?;
    let product = settings::get().product;
    if product == Ascend910 {
        return Err(Status::new(
            ACLNN_ERR_RUNTIME_ERROR,
            "this product has no products with quantised weights",
        ));
    }
    let own = check::dtype(&x, signatures::weight_quant_batch_matmul.takes)?;
    let stored = one_of(&weight, if product == Ascend310P { &[I8] } else { &[I8, I4, I32] })?;
    let scale_type = one_of(&scale, &[own, U64, I64])?;
    let offset_type = offset.as_ref().map(|offset| one_of(offset, &[own])).transpose()?;
    let biases: &[DType] = match (own, product) {
        (F16, _) => &[F16],
        (_, Ascend950) => &[F32, BF16],
        _ => &[F32],
    };
    let bias_type = bias.as_ref().map(|bias| one_of(bias, biases)).transpose()?;
    let to = one_of(&y, &[if quant_scale.is_some() { I8 } else { own }])?;
    if quant_scale.is_some() && product == Ascend950 {
        return invalid("this product has no quantScale");
    }
    if quant_offset.is_some() && quant_scale.is_none() {
        return invalid("quantOffset is given without quantScale");
    }
    for operand in [&x, &weight, &y] {
        let most = if product == Ascend310P { 6 } else { 2 };
        if !(2..=most).contains(&operand.rank()) {
            let (name, rank) = (operand.name, operand.rank());
            return invalid(format_args!("{name} has {rank} axes, but must have from 2 to {most}"));
        }
    }
    if stored == I4 && product == Ascend950 && weight.shape()?.last().is_some_and(|size| size % 2 != 0) {
        return invalid("the last axis of a weight of i4 must have an even number of elements");
    }
    if call.has("innerPrecise") && !(0..=1).contains(&call.int("innerPrecise")?) {
        return invalid(format_args!("innerPrecise is {}, but must be 0 or 1", call.int("innerPrecise")?));
    }
    let mut fusion = Fusion::default();
    let left = fusion.matrices(&x, &[own, F32])?;
    let right = fusion.matrices(&weight, &[stored, F32])?;
    let group = group_size(call.int("antiquantGroupSize")?, &right)?;
    let (jobs, shape) = products(&left, &right)?;
    check::output_shape(&y, &shape)?;
    let most = if product == Ascend950 { i32::MAX as usize } else { MOST };
    if shape.is_empty_tensor() || !(1..=most).contains(&right.rows) || right.columns > most {
        return invalid(format_args!(
            "{} rows of {} columns times {} columns: rows and columns of a weight must be from 1 to {most}, and no \
             tensor empty",
            left.rows, left.columns, right.columns
        ));
    }
    if let Some(offset) = offset.as_ref().filter(|offset| offset.shape().ok() != scale.shape().ok()) {
        return invalid(format_args!(
            "antiquantOffset has shape {} and antiquantScale {}; both must be the same",
            offset.shape()?,
            scale.shape()?
        ));
    }
    let scales = fusion.scales(&scale, scale_type, group, &right)?;
    let offsets = match (&offset, offset_type) {
        (Some(offset), Some(dtype)) => Some(fusion.scales(offset, dtype, group, &right)?),
        _ => None,
    };
    let mut steps = Vec::new();
    if let (Some(bias), Some(dtype)) = (&bias, bias_type) {
        steps.push(Step::Add(fusion.row(bias, dtype, right.columns)?));
    }
    if let Some(scale) = &quant_scale {
        let dtype = one_of(scale, &[U64, I64])?;
        steps.push(Step::Multiply(fusion.row(scale, dtype, right.columns)?));
    }
    if let Some(offset) = &quant_offset {
        let dtype = one_of(offset, &[F32, own])?;
        steps.push(Step::Add(fusion.row(offset, dtype, right.columns)?));
    }
    steps.extend(rounding(to));
    let antiquant = Antiquant { scale: scales, offset: offsets, rows: group.unwrap_or(right.rows) };
    fusion.plan(&[(&y, to)], jobs.of_integers(antiquant).followed_by(&steps, 0), None)
}

/// The number of rows of a weight that share a scale, if not all do.
pub(in crate::operators) fn group_size(size: i64, weight: &Matrices) -> Result<Option<usize>> {
    match usize::try_from(size) {
        Ok(0) => Ok(None),
        Ok(size) if size % 32 == 0 && size < weight.rows => Ok(Some(size)),
        _ => invalid(format_args!(
            "antiquantGroupSize is {size}, but must be 0, or a multiple of 32 below {}",
            weight.rows
        )),
    }
}

impl<'a> Fusion<'a> {
    /// One number, one for each column, or one for each column of each group.
    pub(in crate::operators) fn scales(
        &mut self,
        operand: &'a Operand,
        dtype: DType,
        group: Option<usize>,
        weight: &Matrices,
    ) -> Result<Spread> {
        let Some(group) = group else { return self.row(operand, dtype, weight.columns) };
        let shape = Shape::from([weight.rows.div_ceil(group), weight.columns]);
        if *operand.shape()? != shape {
            return invalid(format_args!(
                "{} has shape {}, but groups of {group} rows need {shape}",
                operand.name,
                operand.shape()?
            ));
        }
        match lies_by_columns(operand) && !matches!(dtype, I64 | U64) {
            true => self.numbers_by_columns(operand, dtype),
            false => self.numbers(operand, dtype, &shape, [weight.columns, 1]),
        }
    }
}
