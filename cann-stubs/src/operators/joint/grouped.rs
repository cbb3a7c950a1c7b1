//! Products of rows with the matrices of experts on several ranks. The caller knows how many rows go where.
//!
//! Of these operators the parameters are known. Numbers of rows are taken to be listed rank by rank, and expert by expert for each;
//! rows to send or to receive lie in that order, and those that a product takes or gives expert by expert, and rank by
//! rank for each.

use std::sync::Arc;

use aclnn_numerics::DType::{self, F32, I64};
use aclnn_numerics::types_by_product::Types;
use cann_kernels::LaneFunction;
use cann_kernels::networks::experts::exchange::{Routing, rows, rows_mut};
use cann_kernels::products::matrix::{Job, Jobs, Side};

use super::factors::comm_mode;
use super::parts::Joint;
use super::routed::{MOST_EXPERTS, bytes_of, input, take};
use crate::collective::joint::{Exchange, Rows};
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::fused::{Fusion, products};
use crate::operators::whole_stage::WholeStage;
use crate::operators::{check, signatures};
use crate::status::Result;

/// The operands of both operators.
struct Grouped<'c> {
    joint: Joint<'c>,
    routing: Routing,
    x: Operand<'c>,
    weight: Operand<'c>,
    is_transposed: bool,
    dtype: DType,
    /// Summands and columns of a product.
    sizes: [usize; 2],
    /// Rows for each expert of each rank, and from each.
    sent: Arc<[i64]>,
    received: Arc<[i64]>,
}

impl<'c> Grouped<'c> {
    fn of(call: &'c Call<'_>, takes: Types) -> Result<Self> {
        let (x, weight) = (call.tensor("gmmX")?, call.tensor("gmmWeight")?);
        for name in ["sendCountsTensorOptional", "recvCountsTensorOptional"] {
            if call.optional_tensor(name)?.is_some() {
                return check::not_emulated(format_args!("numbers of rows in {name}, which must be null"));
            }
        }
        comm_mode(call)?;
        let (sent, received) = (call.ints("sendCounts")?, call.ints("recvCounts")?);
        let dtype = check::alike(&[&x, &weight], takes)?;
        let ([_, k], [local, first, second]) = (&x.shape()?[..], &weight.shape()?[..]) else {
            return invalid("gmmX must have 2 axes and gmmWeight 3");
        };
        let is_transposed = call.flag("transGmmWeight")?;
        let (summands, columns) = if is_transposed { (second, first) } else { (first, second) };
        if k != summands || !(1..=MOST_EXPERTS).contains(local) {
            return invalid(format_args!(
                "gmmX has {k} columns, and there are {local} matrices with {summands} rows: as many rows, and up to \
                 {MOST_EXPERTS} matrices"
            ));
        }
        let joint = Joint::of(call, "group")?;
        joint.must_have("epWorldSize", call.int("epWorldSize")?)?;
        for (name, counts) in [("sendCounts", &sent), ("recvCounts", &received)] {
            if counts.len() != joint.ranks * local || counts.iter().any(|count| *count < 0) {
                return invalid(format_args!(
                    "{name} is {counts:?}, but must have {} numbers from 0 on",
                    joint.ranks * local
                ));
            }
        }
        let routing = Routing {
            tokens: 0,
            chosen: 0,
            rank: joint.rank,
            ranks: joint.ranks,
            shared: 0,
            shared_ranks: 0,
            local: *local,
            experts: joint.ranks * local,
            special: 0,
        };
        let (sizes, sent, received) = ([*k, *columns], Arc::from(sent), Arc::from(received));
        Ok(Self { joint, routing, x, weight, is_transposed, dtype, sizes, sent, received })
    }

    /// Adds the exchange of rows of `width` elements, those of x if there are no others to send.
    fn exchange(&mut self, send: Option<&Operand>, receive: &Operand, width: usize) -> Result {
        let cells = [self.routing.ranks, self.routing.local];
        let numbers = [
            self.joint.kept("the numbers of rows to send", I64, &cells),
            self.joint.kept("the numbers of rows to receive", I64, &cells),
        ];
        let mut stage = WholeStage::default();
        let places = [stage.write(&numbers[0], I64)?, stage.write(&numbers[1], I64)?];
        let known = [Arc::clone(&self.sent), Arc::clone(&self.received)];
        self.joint.alone(stage.plan(LaneFunction::new("note numbers of rows", move |_, _, outputs| {
            for (known, place) in known.iter().zip(places) {
                take(outputs, place).copy_from_slice(bytemuck::cast_slice(known));
            }
            Ok(())
        })));
        let most = [total(&self.sent), total(&self.received)];
        let rows = Rows { bytes: bytes_of(width, self.dtype), most, numbers: self.routing.local };
        self.joint
            .together(Exchange::Rows(rows), &[send.unwrap_or(&self.x), receive, &numbers[0], &numbers[1]])
    }

    /// Adds a change of the order of rows between that of ranks and that of experts.
    fn reorder(&mut self, from: &Operand, to: &Operand, counts: &Arc<[i64]>, by_experts: bool) -> Result {
        let (routing, counts) = (self.routing, Arc::clone(counts));
        let len = bytes_of(from.shape()?.last().copied().unwrap_or(0), self.dtype);
        let mut stage = WholeStage::default();
        let source = stage.read(from, self.dtype)?;
        let target = stage.write(to, self.dtype)?;
        self.joint.alone(stage.plan(LaneFunction::new(
            "order rows by experts",
            move |_, inputs, outputs| {
                let (source, target) = (input(inputs, Some(source)), take(outputs, target));
                routing.runs(&counts, &mut |_, [count, of_ranks, of_experts]| {
                    let (from, to) = if by_experts { (of_ranks, of_experts) } else { (of_experts, of_ranks) };
                    rows_mut(target, to, count, len)?.copy_from_slice(rows(source, from, count, len)?);
                    Ok(())
                })
            },
        )));
        Ok(())
    }

    /// The products of the rows of each expert, which follow each other, and its matrix.
    fn product(&self, x: &Operand, counts: &[i64], out: &Operand) -> Result<Plan> {
        let ([k, columns], Routing { ranks, local, .. }) = (self.sizes, self.routing);
        let mut fusion = Fusion::default();
        let left = fusion.rows(x, &[self.dtype, F32])?;
        let right = fusion.matrices(&self.weight, &[self.dtype, F32])?.transposed(self.is_transposed);
        let mut start = 0_usize;
        let job = |expert: usize| {
            let of_ranks = (0..ranks).filter_map(|rank| counts.get(rank * local + expert));
            let rows = of_ranks.map(|count| usize::try_from(*count).unwrap_or(0)).sum::<usize>();
            let (first, own) = (start, left.side(0));
            start = start.saturating_add(rows);
            Job {
                sizes: [rows, k, columns],
                left: Side { first: first.saturating_mul(k), ..own },
                right: right.side(expert),
                antiquant: None,
                steps: Vec::new(),
                output: (0, first.saturating_mul(columns)),
                group: None,
            }
        };
        let jobs = (0..local).map(job).filter(|job| job.sizes[0] > 0).collect();
        fusion.plan(&[(out, self.dtype)], Jobs::Each(jobs), None)
    }

    /// Adds the product of rows that stay on this rank, if the call has one.
    fn alone(&mut self, call: &Call<'_>) -> Result {
        let own = [call.optional_tensor("mmXOptional")?, call.optional_tensor("mmWeightOptional")?];
        let (Some(x), Some(weight), Some(out)) = (&own[0], &own[1], call.optional_tensor("mmYOptional")?)
        else {
            return match own {
                [None, None] => Ok(()),
                _ => invalid("mmX, mmWeight and mmY go together"),
            };
        };
        for operand in [x, weight, &out] {
            check::exactly(operand, self.dtype)?;
        }
        let mut fusion = Fusion::default();
        let left = fusion.rows(x, &[self.dtype, F32])?;
        let right = fusion.matrices(weight, &[self.dtype, F32])?.transposed(call.flag("transMmWeight")?);
        let (jobs, _) = products(&left, &right)?;
        check::output_shape(&out, &[left.rows, right.columns])?;
        if !out.is_empty() {
            self.joint.alone(fusion.plan(&[(&out, self.dtype)], jobs, None)?);
        }
        Ok(())
    }
}

/// The sum of numbers of rows; so many that no tensor has them, if they cannot be counted.
fn total(counts: &[i64]) -> usize {
    counts
        .iter()
        .fold(0, |sum: usize, count| sum.saturating_add(usize::try_from(*count).unwrap_or(usize::MAX)))
}

pub(super) fn all_to_allv_grouped_mat_mul(call: &Call<'_>) -> Result<Plan> {
    let out = call.tensor("gmmY")?;
    let mut grouped = Grouped::of(call, signatures::all_to_allv_grouped_mat_mul.takes)?;
    let (dtype, [k, columns]) = (grouped.dtype, grouped.sizes);
    check::exactly(&out, dtype)?;
    let arriving = total(&grouped.received);
    check::output_shape(&grouped.x, &[total(&grouped.sent), k])?;
    check::output_shape(&out, &[arriving, columns])?;
    let wanted = match call.flag("permuteOutFlag")? {
        true => Some(call.tensor("permuteOutOptional")?),
        false => None,
    };
    if let Some(all) = &wanted {
        check::exactly(all, dtype)?;
        check::output_shape(all, &[arriving, k])?;
    }
    grouped.alone(call)?;
    let copy = grouped.joint.contiguous(&grouped.x, dtype)?;
    let arrived = grouped.joint.kept("the rows that arrive", dtype, &[arriving, k]);
    grouped.exchange(copy.as_ref(), &arrived, k)?;
    if arriving > 0 {
        let kept = match wanted {
            Some(all) => all,
            None => grouped.joint.kept("the rows of experts", dtype, &[arriving, k]),
        };
        let counts = Arc::clone(&grouped.received);
        grouped.reorder(&arrived, &kept, &counts, true)?;
        let product = grouped.product(&kept, &counts, &out)?;
        grouped.joint.alone(product);
    }
    Ok(grouped.joint.plan())
}

pub(super) fn grouped_mat_mul_all_to_allv(call: &Call<'_>) -> Result<Plan> {
    let out = call.tensor("y")?;
    let mut grouped = Grouped::of(call, signatures::grouped_mat_mul_all_to_allv.takes)?;
    let (dtype, [k, columns]) = (grouped.dtype, grouped.sizes);
    check::exactly(&out, dtype)?;
    let leaving = total(&grouped.sent);
    check::output_shape(&grouped.x, &[leaving, k])?;
    check::output_shape(&out, &[total(&grouped.received), columns])?;
    grouped.alone(call)?;
    let sent = grouped.joint.kept("the rows to send", dtype, &[leaving, columns]);
    if leaving > 0 {
        let product = grouped.joint.kept("the product", dtype, &[leaving, columns]);
        let counts = Arc::clone(&grouped.sent);
        let plan = grouped.product(&grouped.x, &counts, &product)?;
        grouped.joint.alone(plan);
        grouped.reorder(&product, &sent, &counts, false)?;
    }
    let staged = grouped.joint.staged(&out, dtype)?;
    grouped.exchange(Some(&sent), staged.as_ref().unwrap_or(&out), columns)?;
    grouped.joint.deliver(staged.as_ref(), &out, dtype)?;
    Ok(grouped.joint.plan())
}
