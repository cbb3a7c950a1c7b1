//! Cast and copy.

use aclnn_numerics::DType;
use aclnn_numerics::convert::cann::has_cast;
use aclnn_numerics::layout::Shape;
use aclnn_sys::{ACLNN_ERR_INNER_NULLPTR, ACLNN_ERR_PARAM_INVALID};
use cann_kernels::{Conversions, Elementwise, Packed, Source, size_of_dtype};

use super::axes::temporaries;
use super::call::{Call, Operand, Plan, Tasks, described};
use super::phases::entry_points;
use super::{check, signatures};
use crate::compute::units;
use crate::settings;
use crate::status::{Result, Status};

aclnn_sys::conversion_operators!(entry_points);

fn cast(call: &Call<'_>) -> Result<Plan> {
    let own = call.tensor("self")?;
    let output = call.output()?;
    let wanted = call.dtype("dtype")?;
    let from = check::dtype(&own, signatures::cast.takes)?;
    if from == DType::I4 {
        let message = "self is i4, which the operator makes but does not take";
        return Err(Status::new(ACLNN_ERR_PARAM_INVALID, message));
    }
    let types = check::types(signatures::cast.takes);
    let to = DType::from_acl_code(wanted.0).filter(|dtype| types.contains(*dtype)).ok_or_else(|| {
        let message = format!("dtype is {}, but the operator makes {}", described(wanted), types);
        Status::new(ACLNN_ERR_PARAM_INVALID, message)
    })?;
    check::rank(&own)?;
    check::output_shape(&output, own.shape()?)?;
    if to == DType::I4 && !own.is_contiguous() {
        return Err(Status::new(ACLNN_ERR_PARAM_INVALID, "self is not contiguous, as a cast to i4 needs it"));
    }
    if own.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    if output.raw_dtype() != wanted {
        let message =
            format!("dtype is {to}, but out is {}; both must be the same", described(output.raw_dtype()));
        return Err(Status::new(ACLNN_ERR_INNER_NULLPTR, message));
    }
    convert(&own, from, &output, to, own.shape()?)
}

fn copy(call: &Call<'_>) -> Result<Plan> {
    let output = call.tensor("self")?;
    let source = call.tensor("src")?;
    let to = check::dtype(&output, signatures::copy.takes)?;
    let from = check::dtype(&source, signatures::copy.takes)?;
    let shape = check::broadcast_shape(&output, &source)?;
    check::output_shape(&output, &shape)?;
    convert(&source, from, &output, to, &shape)
}

fn convert(source: &Operand, from: DType, output: &Operand, to: DType, shape: &Shape) -> Result<Plan> {
    if shape.is_empty_tensor() || source.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let conversions = Conversions::cast(settings::get().product, from, to)
        .filter(|_| has_cast(from, to))
        .ok_or_else(|| {
            Status::new(
                ACLNN_ERR_INNER_NULLPTR,
                format_args!("there is no kernel that converts {from} to {to}"),
            )
        })?;
    let workspace = temporaries(&[(source, from, from), (output, to, to)]);
    let (inputs, out) = ([(source, from)], (output, to));
    let tasks = tasks(source, from, output, to, shape)?;
    if from.bits() < 8 || to.bits() < 8 {
        let body = Packed::new(from, to, conversions, shape.numel().unwrap_or(0));
        return Ok(Plan::new(&inputs, out, shape, workspace, body)?.by(tasks));
    }
    let body = Elementwise {
        sources: [Source::Tensor { input: 0, conversions: Conversions::default() }].into_iter().collect(),
        scale: None,
        function: None,
        fused: None,
        result: conversions,
        compute_size: size_of_dtype(from),
    };
    Ok(Plan::new(&inputs, out, shape, workspace, body)?.by(tasks).carrying(shape))
}

/// What a device does for a conversion.
fn tasks(source: &Operand, from: DType, output: &Operand, to: DType, shape: &Shape) -> Result<Tasks> {
    let product = settings::get().product;
    let dense = source.shape()? == shape && source.is_contiguous() && output.is_contiguous();
    let bytes = shape.numel().and_then(|count| to.storage_bytes(count)).unwrap_or(usize::MAX);
    Ok(match units::converts(product, from, to) {
        _ if from == to && dense && units::copies(product, bytes) => Tasks::Copy,
        true => Tasks::Cores,
        false => Tasks::Processors,
    })
}
