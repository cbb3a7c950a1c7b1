//! Functions of each element of one tensor.

use aclnn_numerics::DType;
use aclnn_numerics::signature::Unary;
use aclnn_sys::{ACLNN_ERR_INNER_NULLPTR, ACLNN_ERR_PARAM_INVALID, ACLNN_ERR_PARAM_NULLPTR};
use cann_kernels::functions::arithmetic::{Binary, compute_type};
use cann_kernels::{Elementwise, Source, size_of_dtype};

use super::axes::{refuse_output, temporaries};
use super::call::{Call, Operand, Plan, Tasks};
use super::conversions;
use super::functions_by_product::unary as functions;
use super::phases::{entry_points, rules};
use super::{check, signatures};
use crate::compute::units;
use crate::settings;
use crate::status::{Result, Status};

aclnn_sys::unary_operators!(entry_points);
aclnn_sys::unary_operators!(rules);

fn rule(call: &Call<'_>, signature: &Unary, function: fn(DType) -> Option<Binary>) -> Result<Plan> {
    let parameters = call.info.parameters;
    let [first, last] = [parameters.first(), parameters.iter().last()]
        .map(|parameter| parameter.map_or("", |parameter| parameter.name));
    let tensor = |name| {
        call.tensor(name).map_err(|status| match status.code {
            ACLNN_ERR_PARAM_NULLPTR if signature.null_is_internal => {
                Status::new(ACLNN_ERR_INNER_NULLPTR, &status.message)
            }
            _ => status,
        })
    };
    let (own, output) = (tensor(first)?, tensor(last)?);
    if let (true, Some(list)) = (call.is_in_place(), signature.in_place) {
        check::dtype(&own, list)?;
    }
    let dtype = check::dtype(&own, signature.takes)?;
    let out = output_dtype(signature, dtype, &output)?;
    check::output_shape(&output, own.shape()?)?;
    if !signature.any_rank {
        check::rank(&own)?;
    }
    let shape = own.shape()?;
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let types = signature.computed(dtype, out);
    let compute = compute_type(types.operand);
    let no_kernel = || {
        let message = format!("there is no kernel for {}", types.operand);
        Status::new(ACLNN_ERR_INNER_NULLPTR, message)
    };
    // The function itself makes truth values and the parts of complex numbers.
    let made = signature.gives.made_of(compute);
    let body = Elementwise {
        sources: [Source::Tensor {
            input: 0,
            conversions: conversions::through(&[dtype, types.operand, compute])?,
        }]
        .into_iter()
        .collect(),
        scale: None,
        // Few functions look at the type that their result is narrowed to.
        function: Some(function(types.operand).or_else(|| function(compute)).ok_or_else(no_kernel)?.into()),
        fused: None,
        result: conversions::through(&[made, types.result, out])?,
        compute_size: size_of_dtype(made),
    };
    let workspace = temporaries(&[(&own, dtype, types.operand), (&output, out, types.result)]);
    let product = settings::get().product;
    let on_cores = units::computes(product, types.operand)
        && units::converts(product, dtype, types.operand)
        && units::converts(product, types.result, out);
    let tasks = if on_cores { Tasks::Cores } else { Tasks::Processors };
    let converts = [dtype != types.operand, out != types.result];
    Ok(Plan::new(&[(&own, dtype)], (&output, out), shape, workspace, body)?.converting(converts).by(tasks))
}

fn output_dtype(signature: &Unary, own: DType, output: &Operand) -> Result<DType> {
    let Some(out) = output.known_dtype() else {
        let message = format!("{} has a type that no operator writes", output.name);
        return Err(Status::new(ACLNN_ERR_PARAM_INVALID, message));
    };
    match signature.refuses_output(settings::get().product, own, out) {
        None => Ok(out),
        Some(refused) => Err(refuse_output(refused, out, output.name)),
    }
}
