//! Groups of neighbours that share a power of two.

use aclnn_numerics::DType::{F4E1M2, F4E2M1, F8E4M3FN, F8E5M2, F8E8M0, F32};
use aclnn_numerics::layout::Shape;
use cann_kernels::axis::quantisation::{Power, shared_powers};

use super::rows::{Rows, codes};
use crate::operators::axes::{axis_in, invalid, output_of};
use crate::operators::call::{Call, Plan};
use crate::operators::check;
use crate::operators::signatures;
use crate::status::Result;

/// Sizes of groups are multiples of this one, up to the largest.
const STEP: usize = 32;
const LARGEST: usize = 1024;

pub(super) fn dynamic_mx_quant(call: &Call<'_>) -> Result<Plan> {
    let (x, y, scales) = (call.tensor("x")?, call.tensor("yOut")?, call.tensor("mxscaleOut")?);
    let signature = &signatures::dynamic_mx_quant;
    let own = check::dtype(&x, signature.takes)?;
    let to = output_of(signature.output, own, own, &y)?;
    check::exactly(&scales, F8E8M0)?;
    check::rank(&x)?;
    let axis = axis_in("axis", call.int("axis")?, x.rank())?;
    let shape = x.shape()?;
    check::output_shape(&y, shape)?;
    let (wanted, given) = (y.raw_dtype().0, call.int("dstType")?);
    if given != i64::from(wanted) {
        return invalid(format_args!("dstType is {given}, but must be {wanted}, since yOut is {to}"));
    }
    let size = call.int("blocksize")?;
    let group = usize::try_from(size)
        .ok()
        .filter(|size| (STEP..=LARGEST).contains(size) && size.is_multiple_of(STEP));
    let Some(group) = group else {
        return invalid(format_args!(
            "blocksize is {size}, but must be a multiple of {STEP}, up to {LARGEST}"
        ));
    };
    let pairs = shape[axis].div_ceil(group).div_ceil(2);
    let sizes = shape.iter().enumerate().map(|(own, size)| if own == axis { pairs } else { *size });
    check::output_shape(&scales, &sizes.chain([2]).collect::<Shape>())?;
    let mode = call.optional_text("roundModeOptional")?;
    let is_short = matches!(to, F4E2M1 | F4E1M2);
    if !is_short && mode.as_deref().unwrap_or("rint") != "rint" {
        return invalid(format_args!("roundMode must be \"rint\" for {to}"));
    }
    let power = match (call.int("scaleAlg")?, to) {
        (0, F8E5M2) => Power::Lower(15),
        (0, F8E4M3FN) => Power::Lower(8),
        (1, F8E5M2 | F8E4M3FN) => Power::Upper,
        (0, _) => return check::not_emulated("groups of floats of four bits that share a power of two"),
        (other, _) => return invalid(format_args!("scaleAlg is {other}, which {to} does not have")),
    };
    for name in ["dstTypeMax", "maxLowBound"] {
        if call.has(name) && call.float(name)? != 0.0 {
            return check::not_emulated("groups that share a power of two within other limits");
        }
    }
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let len = shape[axis];
    let mut rows = Rows::new(shape.numel().unwrap_or(0) / len);
    rows.read(&x, x.lanes(own, &[axis])?, [own, F32], len)?;
    rows.write_view(&y, y.lanes(to, &[axis])?, [to, to])?;
    rows.write_view(&scales, scales.lanes(F8E8M0, &[axis, shape.rank()])?, [F8E8M0, F8E8M0])?;
    rows.plan(shared_powers(group, power, codes(to)?))
}
