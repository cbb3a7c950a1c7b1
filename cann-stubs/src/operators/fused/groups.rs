//! Plans of products of groups.

use std::ops::Range;

use aclnn_numerics::DType::{self, BF16, F32, F64, I64, U64};
use cann_kernels::products::matrix::{Antiquant, Groups, Job, Jobs, Listed, Side, Split, Spread, Step};

use super::grouped::{List, Operands, bias_types};
use super::lists::{MOST_GROUPS, one_type};
use super::operands::{Fusion, Matrices, rounding};
use crate::mapped::{mapped, try_mapped};
use crate::operators::axes::invalid;
use crate::operators::call::{Operand, Plan};
use crate::operators::check;
use crate::status::Result;

/// A group: its x, its weight, the rows of x that it has if they are known and not all, and its output.
struct Group {
    x: usize,
    weight: usize,
    rows: Option<Range<usize>>,
    output: (usize, usize),
}

impl<'c> Operands<'c> {
    /// Pairs of matrices in lists.
    pub(super) fn pairs(&self) -> Result<Plan> {
        let count = self.x.len();
        if self.weight.len() != count || self.out.len() != count {
            return invalid(format_args!(
                "x has {count} tensors, weight {} and the output {}; all must have as many",
                self.weight.len(),
                self.out.len()
            ));
        }
        if let List::Later(list, _) = &self.list
            && list.shape()?[0] != count
        {
            return invalid(format_args!("groupList has shape {}, but x has {count} tensors", list.shape()?));
        }
        for (x, out) in self.x.iter().zip(&self.out) {
            if !(2..=6).contains(&x.rank()) || out.rank() != x.rank() {
                return invalid("a tensor of x has from 2 to 6 axes, and its output as many");
            }
        }
        self.plan(|lefts, _| {
            let group = |number| Group { x: number, weight: number, rows: None, output: (number, 0) };
            Ok((0..lefts.len()).map(group).collect())
        })
    }

    /// Groups of rows with a matrix each.
    pub(super) fn rows(&self) -> Result<Plan> {
        for operand in &[&self.x[..], self.out.as_slice()].concat() {
            if operand.rank() != 2 {
                let (name, rank) = (operand.name, operand.rank());
                return invalid(format_args!("a tensor of {name} has {rank} axes, but must have 2"));
            }
        }
        for x in &self.x {
            if let ([1, across], [rows, columns]) = (&x.strides()[..], &x.shape()?[..])
                && *across == rows.cast_signed()
                && *rows > 1
                && *columns > 1
            {
                return invalid("groups of rows take no transposed view as x");
            }
        }
        self.plan(|lefts, rights| self.groups_of_rows(lefts, rights))
    }

    fn groups_of_rows(&self, lefts: &[Matrices], rights: &[(Matrices, usize)]) -> Result<Vec<Group>> {
        let columns = rights.first().map_or(0, |(right, _)| right.columns);
        let of = |number: usize| if rights.len() == 1 { 0 } else { number };
        if let [_, _, ..] = lefts {
            let mut start = 0;
            let group = |(number, left): (usize, &Matrices)| {
                let output = if self.is_joined { (0, start * columns) } else { (number, 0) };
                start += left.rows;
                Group { x: number, weight: of(number), rows: None, output }
            };
            return Ok(lefts.iter().enumerate().map(group).collect());
        }
        let rows = lefts.first().map_or(0, |left| left.rows);
        let ends: Vec<usize> = match &self.list {
            List::Missing => return invalid("groups of rows of one tensor need groupList"),
            List::Ends(ends) => {
                if rights.len() > 1 && ends.len() != rights.len() {
                    return invalid(format_args!(
                        "groupList has {} entries for {} weights",
                        ends.len(),
                        rights.len()
                    ));
                }
                if ends.last() != Some(&(rows as i64)) {
                    return invalid(format_args!("groupList {ends:?} must end at the {rows} rows of x"));
                }
                mapped(ends, |end| *end as usize)
            }
            List::Later(list, listed) if self.is_joined => {
                let entries = list.shape()?[0];
                if rights.len() > 1 && entries != rights.len() && *listed != Listed::Pair {
                    return invalid(format_args!(
                        "groupList has {entries} entries for {} weights",
                        rights.len()
                    ));
                }
                let group = |number| Group { x: 0, weight: of(number), rows: None, output: (0, 0) };
                return Ok((0..list.shape()?[0].max(rights.len())).map(group).collect());
            }
            // The outputs tell the sizes.
            List::Later(..) => {
                let sizes = try_mapped::<_, Vec<_>>(&self.out, |out| Ok(out.shape()?[0]))?;
                sizes
                    .iter()
                    .scan(0, |end, size| {
                        *end += size;
                        Some(*end)
                    })
                    .collect()
            }
        };
        if ends.last().is_some_and(|end| *end > rows) {
            return invalid(format_args!("the outputs have more rows than the {rows} of x"));
        }
        let mut start = 0;
        let group = |(number, end): (usize, &usize)| {
            let rows = start..*end;
            start = *end;
            let output = if self.is_joined { (0, 0) } else { (number, 0) };
            Group { x: 0, weight: of(number), rows: Some(rows), output }
        };
        Ok(ends.iter().enumerate().map(group).collect())
    }

    /// Plans the products of groups of rows.
    fn plan(
        &self,
        groups: impl FnOnce(&[Matrices], &[(Matrices, usize)]) -> Result<Vec<Group>>,
    ) -> Result<Plan> {
        let mut fusion = Fusion::default();
        let seen = if self.types.is_exact() { F64 } else { F32 };
        let lefts = try_mapped::<_, Vec<_>>(&self.x, |x| fusion.rows(x, &[self.types.own, seen]))?;
        let rights = self.weights(&mut fusion, seen)?;
        let groups = groups(&lefts, &rights)?;
        let late = match &self.list {
            List::Later(list, listed) if self.is_joined && lefts.len() == 1 => {
                let most = lefts.first().map_or(0, |left| left.rows);
                let list = fusion.list(list)?;
                Some(Groups { list, listed: *listed, split: Split::Rows, count: groups.len(), most })
            }
            _ => None,
        };
        let beside = Beside::of(self, &mut fusion, &lefts, &rights)?;
        let mut jobs = Vec::new();
        for (number, group) in groups.iter().enumerate() {
            let (Some(left), Some((right, place))) = (lefts.get(group.x), rights.get(group.weight)) else {
                return invalid(format_args!(
                    "there are {} groups, {} tensors of x and {} weights",
                    groups.len(),
                    lefts.len(),
                    rights.len()
                ));
            };
            if left.columns != right.rows {
                return invalid(format_args!(
                    "in group {number} x has {} columns and the weight {} rows; both must be the same",
                    left.columns, right.rows
                ));
            }
            let job = Job {
                sizes: [left.rows, left.columns, right.columns],
                left: left.side(0),
                right: right.side(*place),
                antiquant: beside.antiquant.get(group.weight).copied(),
                steps: beside.steps(self, group),
                output: group.output,
                group: late.is_some().then_some(number),
            };
            let job = match &group.rows {
                Some(rows) => Job {
                    output: if self.is_joined { (0, rows.start * right.columns) } else { group.output },
                    ..job.cut(Split::Rows, rows.clone())
                },
                None => job,
            };
            jobs.push(job);
        }
        self.check_outputs(&lefts, &jobs)?;
        fusion.plan(&self.outputs(), Jobs::Each(jobs), late)
    }

    /// The outputs have the rows of their groups, and the columns of the weights.
    fn check_outputs(&self, lefts: &[Matrices], jobs: &[Job]) -> Result {
        let all: usize = lefts.iter().map(|left| left.rows).sum();
        let columns = |number: usize| jobs.get(number).map_or(0, |job| job.sizes[2]);
        // Groups that go to one output have its columns, all of them.
        if self.is_joined && jobs.iter().any(|job| job.sizes[2] != columns(0)) {
            return invalid(
                "the weights have different numbers of columns, but their products go to one output",
            );
        }
        for (number, out) in self.out.iter().enumerate() {
            let rows = if self.is_joined { all } else { jobs.get(number).map_or(0, |job| job.sizes[0]) };
            let fits = match out.shape()?.split_last() {
                Some((last, rest)) => *last == columns(number) && rest.iter().product::<usize>() == rows,
                None => false,
            };
            if !fits || !self.is_joined && self.out.len() != jobs.len() {
                return invalid(format_args!(
                    "output {number} of {} has shape {}, but group {number} has {rows} rows of {} elements, and there are \
                     {} groups",
                    self.out.len(),
                    out.shape()?,
                    columns(number),
                    jobs.len()
                ));
            }
        }
        Ok(())
    }

    fn outputs(&self) -> Vec<(&Operand<'_>, DType)> {
        mapped(&self.out, |out| (out, self.types.out))
    }

    /// The weight of each group: the matrices of one tensor, or one matrix of each.
    fn weights<'a>(&'a self, fusion: &mut Fusion<'a>, seen: DType) -> Result<Vec<(Matrices, usize)>> {
        let mut all = Vec::new();
        for weight in &self.weight {
            let matrices = fusion.matrices(weight, &[self.types.weight, seen])?;
            let count = match (&matrices.batch[..], self.weight.len()) {
                ([], _) => 1,
                ([count], 1) => *count,
                _ => return invalid("a weight has 3 axes, or 2 if there are several"),
            };
            // No list has more groups.
            if count > MOST_GROUPS.max(self.list.entries()?) {
                return invalid(format_args!("weight has {count} matrices, but groupList less entries"));
            }
            all.extend((0..count).map(|number| (matrices.clone(), number)));
        }
        Ok(all)
    }

    /// Parts of the common axis, each with a result of its own.
    pub(super) fn parts(&self) -> Result<Plan> {
        let ([x], [weight], [out]) = (&self.x[..], &self.weight[..], &self.out[..]) else {
            return invalid("groups of the common axis are of single tensors");
        };
        if self.types.own != self.types.weight || self.types.is_exact() || self.bias.is_some() {
            return invalid("groups of the common axis have no integers and no bias");
        }
        let ([m, k], [own, n]) = (&x.shape()?[..], &weight.shape()?[..]) else {
            return invalid("x and weight must have 2 axes for groups of the common axis");
        };
        let (m, k, n) = (*m, *k, *n);
        let strides = x.strides();
        if *own != k || (m > 1 && k > 1 && !matches!(&strides[..], [1, _])) {
            return invalid("x must be a transposed view, with as many columns as weight has rows");
        }
        let mut fusion = Fusion::default();
        let left = fusion.columns(x, &[self.types.own, F32])?;
        let right = fusion.rows(weight, &[self.types.weight, F32])?;
        let count = match &self.list {
            List::Missing => return invalid("groups of the common axis need groupList"),
            List::Ends(ends) if ends.last() != Some(&(k as i64)) => {
                return invalid(format_args!("groupList {ends:?} must end at the {k} columns of x"));
            }
            List::Ends(ends) => ends.len(),
            List::Later(list, _) => list.shape()?[0],
        };
        check::output_shape(out, &[count, m, n])?;
        let late = match &self.list {
            List::Later(list, listed) => {
                let list = fusion.list(list)?;
                Some(Groups { list, listed: *listed, split: Split::Common, count, most: k })
            }
            _ => None,
        };
        let mut start = 0;
        let jobs = (0..count).map(|number| {
            let job = Job {
                sizes: [m, k, n],
                left: Side { by_columns: true, ..left.side(0) },
                right: Side { by_columns: false, ..right.side(0) },
                antiquant: None,
                steps: Vec::new(),
                output: (0, number * m * n),
                group: late.is_some().then_some(number),
            };
            match &self.list {
                List::Ends(ends) => {
                    let range = start..ends[number] as usize;
                    start = range.end;
                    job.cut(Split::Common, range)
                }
                _ => job,
            }
        });
        let jobs = jobs.collect();
        fusion.plan(&self.outputs(), Jobs::Each(jobs), late)
    }
}

/// The operands beside weights and tokens, by the number of the weight, or of x.
struct Beside {
    bias: Vec<Spread>,
    scale: Vec<Spread>,
    offset: Vec<Spread>,
    tokens: Vec<Spread>,
    antiquant: Vec<Antiquant>,
}

impl Beside {
    fn of<'a>(
        operands: &'a Operands,
        fusion: &mut Fusion<'a>,
        lefts: &[Matrices],
        rights: &[(Matrices, usize)],
    ) -> Result<Self> {
        let own = operands.types.own;
        let mut of = |list: &'a Option<Vec<Operand>>, types: &[DType]| match list {
            Some(list) => fusion.of_weights(list, types, rights),
            None => Ok(Vec::new()),
        };
        let bias = of(&operands.bias, bias_types(own))?;
        let scale = of(&operands.scale, &[U64, I64, F32, BF16])?;
        let offset = of(&operands.offset, &[F32])?;
        let shifts = of(&operands.antiquant_offset, &[own])?;
        let factors = of(&operands.antiquant_scale, &[own])?;
        let antiquant = rights.iter().zip(&factors).zip(&shifts);
        let antiquant = antiquant.map(|(((right, _), scale), offset)| Antiquant {
            scale: *scale,
            offset: Some(*offset),
            rows: right.rows.max(1),
        });
        let (antiquant, mut tokens) = (antiquant.collect(), Vec::new());
        if let Some(list) = &operands.token_scale {
            one_type(list, &[F32])?;
            if list.len() != lefts.len() {
                return invalid("perTokenScale has another number of tensors than x");
            }
            for (scale, left) in list.iter().zip(lefts) {
                if scale.shape()?[..] != [left.rows] {
                    return invalid("a tensor of perTokenScale has one number for each row of x");
                }
                tokens.push(fusion.numbers(scale, F32, scale.shape()?, [1, 0])?);
            }
        }
        Ok(Self { bias, scale, offset, tokens, antiquant })
    }

    fn steps(&self, operands: &Operands, group: &Group) -> Vec<Step> {
        let add = |list: &[Spread]| list.get(group.weight).copied().map(Step::Add);
        let scale = self.scale.get(group.weight).copied().map(Step::Multiply);
        let tokens = self.tokens.get(group.x).copied().map(Step::Multiply);
        let activation = operands.activation.map(Step::Activate);
        let steps =
            [add(&self.bias), scale, tokens, activation, add(&self.offset), rounding(operands.types.out)];
        steps.into_iter().flatten().collect()
    }
}

impl<'a> Fusion<'a> {
    /// Numbers for the columns of each weight: one tensor of `[weights, columns]`, or a tensor for each.
    fn of_weights(
        &mut self,
        list: &'a [Operand],
        types: &[DType],
        rights: &[(Matrices, usize)],
    ) -> Result<Vec<Spread>> {
        let dtype = one_type(list, types)?;
        let Some((first, _)) = rights.first() else { return Ok(Vec::new()) };
        if let [only] = list
            && only.shape()?[..] == [rights.len(), first.columns]
        {
            let all = self.numbers(only, dtype, only.shape()?, [0, 1])?;
            let of = |number| Spread { first: number * first.columns, ..all };
            return Ok((0..rights.len()).map(of).collect());
        }
        if list.len() != rights.len() {
            return invalid(format_args!(
                "{} has {} tensors for {} weights; it must have one for each, or one of all weights and columns",
                list.first().map_or("a list", |operand| operand.name),
                list.len(),
                rights.len()
            ));
        }
        list.iter().zip(rights).map(|(operand, (right, _))| self.row(operand, dtype, right.columns)).collect()
    }
}
