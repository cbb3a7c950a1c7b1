//! The margin between the numbers of the classes of a row and those of other classes.

use aclnn_numerics::DType::{F64, I32, I64};
use aclnn_numerics::layout::Shape;
use cann_kernels::networks::loss::classes::margin;
use cann_kernels::networks::loss::elements::total;

use super::reduction::Reduction;
use super::rows::{Rows, between};
use super::terms::lane;
use crate::operators::axes::{filled, invalid, output_of};
use crate::operators::call::{Call, Plan};
use crate::operators::{check, signatures};
use crate::status::Result;

/// Takes what PyTorch takes, as the checks of CANN are not known.
pub(super) fn multilabel_margin_loss(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::multilabel_margin_loss;
    let (own, target) = (call.tensor("self")?, call.tensor("target")?);
    let (out, is_target) = (call.tensor("out")?, call.tensor("isTarget")?);
    let dtype = check::dtype(&own, signature.takes)?;
    let Some(label @ (I64 | I32)) = target.known_dtype() else {
        return invalid("target must be i64 or i32");
    };
    let to = output_of(signature.output, dtype, dtype, &out)?;
    let flag = check::any_dtype(&is_target)?;
    let reduction = Reduction::of(call)?;
    let sizes = own.shape()?;
    let (axis, classes, rows) = match sizes[..] {
        [classes] => (0, classes, Shape::scalar()),
        [rows, classes] => (1, classes, Shape::from([rows])),
        _ => return invalid(format_args!("self has shape {sizes}, but must have 1 or 2 axes")),
    };
    check::output_shape(&target, sizes)?;
    check::output_shape(&is_target, sizes)?;
    reduction.shapes(&out, &rows)?;
    let count = rows.numel().unwrap_or(0);
    if sizes.is_empty_tensor() {
        let number = if reduction == Reduction::Mean && count == 0 { f64::NAN } else { 0.0 };
        return filled(&[(&out, to)], number);
    }
    let mut plan = Rows::new(count, classes);
    let (labels, _) = plan.labels(&target, label)?;
    let inputs = [plan.rows(&own, dtype, axis)?, (labels, lane(classes, &[label, I64], I64)?)];
    let flags = plan.written(&is_target, flag, flag, classes)?;
    if reduction == Reduction::None {
        let written = [plan.written(&out, dtype, to, 1)?, flags];
        plan.builder.lanes(inputs, written, count, margin());
        return Ok(plan.plan());
    }
    let losses = plan.builder.temporary(F64, count)?;
    plan.builder.lanes(inputs, [between(losses, 1)?, flags], count, margin());
    let written = [plan.written(&out, dtype, to, 1)?];
    let divisor = if reduction == Reduction::Mean { count as f64 } else { 1.0 };
    plan.builder.lanes([between(losses, count)?], written, 1, total(divisor));
    Ok(plan.plan())
}
