//! Attention to points of maps in several sizes.

use aclnn_numerics::DType;
use aclnn_numerics::types_by_product::Types;
use cann_kernels::{Cause, Failure};

use super::corners::around;
use crate::operators::axes::filled;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check::{self, has_shape, sizes};
use crate::operators::lane_planner::{Lanes, Planner, ints};
use crate::status::Result;

/// The sizes of a call.
#[derive(Clone, Copy)]
struct Sizes {
    batch: usize,
    keys: usize,
    heads: usize,
    width: usize,
    queries: usize,
    levels: usize,
    points: usize,
}

/// The operands of both directions.
struct Operands<'c> {
    value: Operand<'c>,
    shapes: Operand<'c>,
    starts: Operand<'c>,
    location: Operand<'c>,
    weight: Operand<'c>,
}

impl<'c> Operands<'c> {
    fn of(call: &'c Call<'_>) -> Result<(Self, Sizes)> {
        let [value, shapes, starts, location, weight] =
            call.tensors_of(["value", "spatialShape", "levelStartIndex", "location", "attnWeight"])?;
        let [batch, keys, heads, width] = sizes(&value)?;
        let [_, queries, _, levels, points, _] = sizes(&location)?;
        has_shape(&location, &[batch, queries, heads, levels, points, 2])?;
        has_shape(&weight, &[batch, queries, heads, levels, points])?;
        has_shape(&shapes, &[levels, 2])?;
        has_shape(&starts, &[levels])?;
        let sizes = Sizes { batch, keys, heads, width, queries, levels, points };
        Ok((Self { value, shapes, starts, location, weight }, sizes))
    }

    /// Checks the types of these operands and of others; returns that of all floats.
    fn check(&self, others: &[&Operand], takes: Types) -> Result<DType> {
        let own = [&self.value, &self.location, &self.weight];
        let dtype = check::alike(&[&own[..], others].concat(), takes)?;
        for operand in [&self.shapes, &self.starts] {
            check::dtype(operand, Types::of("i32 i64"))?;
        }
        Ok(dtype)
    }

    /// The lanes of each head of each batch.
    fn read<'a>(&'a self, planner: &mut Planner<'a>, sizes: Sizes) -> Result<[Option<Lanes>; 5]> {
        let (count, per_query) = (sizes.batch * sizes.heads, sizes.levels.saturating_mul(sizes.points));
        let all = sizes.queries.saturating_mul(per_query);
        Ok([
            planner.read(&self.value, sizes.keys.saturating_mul(sizes.width), &by_head)?,
            planner.all(Some(&self.shapes), count)?.map(Lanes::whole),
            planner.all(Some(&self.starts), count)?.map(Lanes::whole),
            planner.read(&self.location, all.saturating_mul(2), &by_head)?,
            planner.read(&self.weight, all, &by_head)?,
        ])
    }
}

/// The elements with the axis of heads, the third one, behind that of batches.
fn by_head(operand: &Operand, dtype: DType) -> Result<cann_kernels::View> {
    let mut order: smallvec::SmallVec<[usize; 8]> = (0..operand.rank()).collect();
    order[1..3].rotate_right(1);
    operand.permuted(dtype, &order)
}

impl Sizes {
    /// Calls `each` with the number of a point and of its query, the first key of its level, the sizes of this, and the place.
    fn each(
        self,
        shapes: &[f32],
        starts: &[f32],
        location: &[f32],
        mut each: impl FnMut(usize, usize, usize, [usize; 2], [f64; 2]),
    ) -> cann_kernels::Result {
        let (shapes, starts) = (ints(shapes), ints(starts));
        let of = |number: i32| usize::try_from(number).unwrap_or(0);
        for (level, start) in starts.iter().enumerate() {
            let [height, width] = [of(shapes[2 * level]), of(shapes[2 * level + 1])];
            if of(*start).saturating_add(height.saturating_mul(width)) > self.keys {
                let message = format_args!(
                    "level {level} has {height} times {width} keys from {start} on, but value has {}",
                    self.keys
                );
                return Err(Failure::new(Cause::AiCore, message));
            }
        }
        let per_query = self.levels * self.points;
        for (number, place) in location.chunks(2).enumerate() {
            let (query, level) = (number / per_query, number % per_query / self.points);
            let map = [of(shapes[2 * level]), of(shapes[2 * level + 1])];
            let at = |part: usize, size: usize| f64::from(place[part]) * size as f64 - 0.5;
            each(number, query, of(starts[level]), map, [at(1, map[0]), at(0, map[1])]);
        }
        Ok(())
    }
}

pub(in crate::operators) fn multi_scale_deformable_attention(call: &Call<'_>) -> Result<Plan> {
    let (operands, sizes) = Operands::of(call)?;
    let out = call.tensor("output")?;
    operands.check(&[&out], crate::operators::signatures::multi_scale_deformable_attention.takes)?;
    let Sizes { batch, heads, width, queries, .. } = sizes;
    check::output_shape(&out, &[batch, queries, heads.saturating_mul(width)])?;
    if out.is_empty() {
        return Ok(Plan::empty());
    }
    let mut planner = Planner::new();
    let inputs = operands.read(&mut planner, sizes)?;
    let strides = out.strides();
    let to = planner.write(&out, queries.saturating_mul(width), &|out, dtype| {
        let across = strides[2];
        let strides = [strides[0], across.saturating_mul(width as isize), strides[1], across];
        out.view_of(dtype, &[batch, heads, queries, width], &strides, out.offset())
    })?;
    planner.try_lanes(
        batch * heads,
        inputs,
        [to],
        "attention to points",
        move |[value, shapes, starts, location, weight], [out]| {
            out.fill(0.0);
            sizes.each(shapes, starts, location, |number, query, start, map, place| {
                let corners = around(map, place);
                for (lane, out) in out[query * width..][..width].iter_mut().enumerate() {
                    let number_of = |corner: &super::corners::Corner| {
                        corner.weight * f64::from(value[(start + corner.place) * width + lane])
                    };
                    let sum: f64 = corners.iter().flatten().map(number_of).sum();
                    *out += (f64::from(weight[number]) * sum) as f32;
                }
            })
        },
    )?;
    Ok(planner.plan())
}

pub(in crate::operators) fn multi_scale_deformable_attention_grad(call: &Call<'_>) -> Result<Plan> {
    let (operands, sizes) = Operands::of(call)?;
    let outputs = call.tensors_of(["gradOutput", "gradValue", "gradLocation", "gradAttnWeight"])?;
    let [grad, of_value, of_location, of_weight] = &outputs;
    let others: Vec<&Operand> = outputs.iter().collect();
    let own =
        operands.check(&others, crate::operators::signatures::multi_scale_deformable_attention_grad.takes)?;
    let Sizes { batch, heads, width, queries, keys, levels, points } = sizes;
    has_shape(grad, &[batch, queries, heads.saturating_mul(width)])?;
    for (output, like) in
        [(of_value, &operands.value), (of_location, &operands.location), (of_weight, &operands.weight)]
    {
        check::output_shape(output, like.shape()?)?;
    }
    if operands.value.is_empty() || operands.location.is_empty() || grad.is_empty() {
        return filled(&[(of_value, own), (of_location, own), (of_weight, own)], 0.0);
    }
    let mut planner = Planner::new();
    let [value, shapes, starts, location, weight] = operands.read(&mut planner, sizes)?;
    let strides = grad.strides();
    let from = planner.read(grad, queries.saturating_mul(width), &|grad, dtype| {
        let across = strides[2];
        let strides = [strides[0], across.saturating_mul(width as isize), strides[1], across];
        grad.view_of(dtype, &[batch, heads, queries, width], &strides, grad.offset())
    })?;
    let all = queries.saturating_mul(levels).saturating_mul(points);
    let outputs = [
        planner.write(of_value, keys.saturating_mul(width), &by_head)?,
        planner.write(of_location, all.saturating_mul(2), &by_head)?,
        planner.write(of_weight, all, &by_head)?,
    ];
    planner.try_lanes(
        batch * heads,
        [value, shapes, starts, location, weight, from],
        outputs,
        "gradients of points",
        move |[value, shapes, starts, location, weight, grad], [of_value, of_location, of_weight]| {
            of_value.fill(0.0);
            sizes.each(shapes, starts, location, |number, query, start, map, place| {
                let mut totals = [0.0; 3];
                let factor = f64::from(weight[number]);
                for corner in around(map, place).iter().flatten() {
                    let first = (start + corner.place) * width;
                    for (lane, g) in grad[query * width..][..width].iter().enumerate() {
                        let (g, at) = (f64::from(*g), f64::from(value[first + lane]));
                        of_value[first + lane] += (g * factor * corner.weight) as f32;
                        totals[0] += g * corner.weight * at;
                        totals[1] += g * factor * corner.slopes[1] * at;
                        totals[2] += g * factor * corner.slopes[0] * at;
                    }
                }
                of_weight[number] = totals[0] as f32;
                of_location[2 * number] = (totals[1] * map[1] as f64) as f32;
                of_location[2 * number + 1] = (totals[2] * map[0] as f64) as f32;
            })
        },
    )?;
    Ok(planner.plan())
}
