//! Blocks of matrices with scales of their own.

use aclnn_numerics::DType::{F32, HiF8};
use aclnn_numerics::product::Product::Ascend950;
use cann_kernels::axis::quantisation::Blocks;

use super::rows::{Rows, codes_up_to, has_number};
use crate::operators::axes::output_of;
use crate::operators::call::{Call, Plan};
use crate::operators::check::{self, untiled, when_divided};
use crate::operators::signatures;
use crate::settings;
use crate::status::Result;

/// The sizes of blocks on the 950.
const ROWS: [i64; 5] = [1, 64, 128, 256, 512];
const COLUMNS: [i64; 4] = [64, 128, 192, 256];

pub(super) fn dynamic_block_quant(call: &Call<'_>) -> Result<Plan> {
    let (x, y, scale) = (call.tensor("x")?, call.tensor("yOut")?, call.tensor("scaleOut")?);
    let signature = &signatures::dynamic_block_quant;
    let is_950 = settings::get().product == Ascend950;
    // There is no phase one of its own but for null. Each type is looked at where the work is divided, but for that of scales.
    let own = check::dtype(&x, signature.takes).map_err(when_divided)?;
    let to = output_of(signature.output, own, own, &y).map_err(when_divided)?;
    check::exactly(&scale, F32)?;
    has_number(call, "dstType", &y, to).map_err(when_divided)?;
    let least = call.float("minScale")? as f32;
    if least < 0.0 {
        return untiled(format_args!("minScale is {least}, but must not be negative"));
    }
    let sizes = [call.int("rowBlockSize")?, call.int("colBlockSize")?];
    let is_block = match is_950 {
        true => ROWS.contains(&sizes[0]) && COLUMNS.contains(&sizes[1]),
        false => sizes == [1, 128],
    };
    if !is_block {
        return untiled(format_args!(
            "blocks have {} rows and {} columns, which this product does not have; 1 and 128 are taken everywhere",
            sizes[0], sizes[1]
        ));
    }
    let mode = call.optional_text("roundModeOptional")?;
    let wanted = if to == HiF8 { "round" } else { "rint" };
    if is_950 && mode.as_deref().unwrap_or("rint") != wanted {
        return untiled(format_args!("roundMode must be \"{wanted}\" for {to}"));
    }
    let shape = x.shape()?;
    let [outer @ .., height, width] = &shape[..] else { return untiled("x must have 2 or 3 axes") };
    if shape.rank() > 3 || shape.is_empty_tensor() {
        return untiled(format_args!("x has shape {shape}, but must have 2 or 3 axes, and elements"));
    }
    let block = [sizes[0] as usize, sizes[1] as usize];
    let counts = [height.div_ceil(block[0]), width.div_ceil(block[1])];
    check::output_shape(&y, shape).map_err(when_divided)?;
    check::output_shape(&scale, &[outer, &counts].concat()).map_err(when_divided)?;

    // Rows without others in their block are computed one by one.
    let matrix = if block[0] == 1 { [1, *width] } else { [*height, *width] };
    let count = shape.numel().unwrap_or(0) / (matrix[0] * matrix[1]);
    let codes = codes_up_to(call, to)?;
    let mut rows = Rows::new(count);
    rows.each(&x, [own, F32])?;
    rows.write(&y, [to, to])?;
    rows.write(&scale, [F32, F32])?;
    rows.plan(Blocks { matrix, block, least, divides: is_950, codes }.rows())
}
