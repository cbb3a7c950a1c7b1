//! Operands as matrices and as numbers for them, and the plan of products with steps.

use aclnn_numerics::DType::{self, BF16, F16, F32, F64, I4, I8, I32, I64, U64};
use aclnn_numerics::layout::{Shape, broadcast};
use cann_kernels::products::matrix::{Fused, Groups, Job, Jobs, Reading, Side, Spread, Step};
use cann_kernels::{Conversions, View, size_of_dtype};
use smallvec::SmallVec;

use crate::mapped::mapped;
use crate::operators::axes::{invalid, no_kernel, temporaries};
use crate::operators::call::{Operand, Plan};
use crate::operators::conversions::through;
use crate::operators::matrix::pairs;
use crate::operators::plan_builder::{Place, PlanBuilder};
use crate::status::Result;

/// A plan in the making.
#[derive(Default)]
pub(in crate::operators) struct Fusion<'a> {
    builder: PlanBuilder,
    inputs: Vec<(Place, Reading)>,
    kept: Vec<(&'a Operand<'a>, DType, DType)>,
}

/// An operand as matrices, one for each index of its other axes.
#[derive(Clone)]
pub(in crate::operators) struct Matrices {
    input: usize,
    /// The other axes.
    pub(super) batch: SmallVec<[usize; 8]>,
    pub(in crate::operators) rows: usize,
    pub(in crate::operators) columns: usize,
    pub(super) by_columns: bool,
}

impl Matrices {
    /// The matrices with rows for columns, if it is so.
    pub(in crate::operators) fn transposed(self, is_so: bool) -> Self {
        match is_so {
            true => Self { rows: self.columns, columns: self.rows, by_columns: !self.by_columns, ..self },
            false => self,
        }
    }

    /// The matrix of a number.
    pub(in crate::operators) fn side(&self, number: usize) -> Side {
        let first = number * self.rows * self.columns;
        Side { input: self.input, first, by_columns: self.by_columns }
    }
}

/// Returns whether the elements of a column of the operand lie one after the other, and those of a row do not.
pub(super) fn lies_by_columns(operand: &Operand) -> bool {
    matches!(&operand.strides()[..], [.., 1, across] if *across != 1)
}

/// From a type to f64; from those of 16 bits by f32, as the device does it.
fn widening(dtype: DType) -> Result<Conversions> {
    match dtype {
        BF16 | F16 => through(&[dtype, F32, F64]),
        _ => through(&[dtype, F64]),
    }
}

/// The type of an operand, which must be one of some.
#[inline(never)]
pub(in crate::operators) fn one_of(operand: &Operand, types: &[DType]) -> Result<DType> {
    match operand.known_dtype().filter(|dtype| types.contains(dtype)) {
        Some(dtype) => Ok(dtype),
        None => {
            let types: Vec<&str> = mapped(types, |dtype| dtype.short_name());
            invalid(format_args!("{} must be {}", operand.name, types.join(" or ")))
        }
    }
}

impl<'a> Fusion<'a> {
    fn read(&mut self, operand: &'a Operand, view: View, reading: Reading, kinds: [DType; 2]) -> usize {
        let place = self.builder.read(operand, view, kinds[0] == kinds[1]);
        self.kept.push((operand, kinds[0], kinds[1]));
        self.inputs.push((place, reading));
        self.inputs.len() - 1
    }

    /// The last two axes of an operand as matrices, whose elements are converted through types to f32 or f64. i32 holds eight
    /// integers of four bits, one after the other along the axis that is the last in memory.
    pub(in crate::operators) fn matrices(
        &mut self,
        operand: &'a Operand,
        dtypes: &[DType],
    ) -> Result<Matrices> {
        let dtype = dtypes.first().copied().unwrap_or(F32);
        let sizes = operand.shape()?;
        let [batch @ .., rows, columns] = &sizes[..] else {
            return invalid(format_args!(
                "{} has {} axes, but must have two or more",
                operand.name,
                sizes.rank()
            ));
        };
        let by_columns = lies_by_columns(operand);
        let order: SmallVec<[usize; 8]> = match by_columns {
            true => (0..batch.len()).chain([batch.len() + 1, batch.len()]).collect(),
            false => (0..sizes.rank()).collect(),
        };
        let (view, reading) = match dtype {
            I4 => (packed(operand, sizes, &order)?, Reading::Nibbles),
            I32 => (operand.permuted(I32, &order)?, Reading::Nibbles),
            I8 if dtypes.ends_with(&[F32]) => (operand.permuted(I8, &order)?, Reading::Bytes),
            _ if dtypes.ends_with(&[F64]) => {
                (operand.permuted(dtype, &order)?, Reading::Double(through(dtypes)?))
            }
            _ => (operand.permuted(dtype, &order)?, Reading::Single(through(dtypes)?)),
        };
        let held = if dtype == I32 { 8 } else { 1 };
        let (rows, columns) = if by_columns { (rows * held, *columns) } else { (*rows, columns * held) };
        let input = self.read(operand, view, reading, [dtype, dtype]);
        Ok(Matrices { input, batch: SmallVec::from_slice(batch), rows, columns, by_columns })
    }

    /// An operand as one matrix with its last axis as columns, which lies by rows.
    pub(in crate::operators) fn rows(&mut self, operand: &'a Operand, dtypes: &[DType]) -> Result<Matrices> {
        let sizes = operand.shape()?;
        let (columns, outer) = sizes.split_last().map_or((1, &[][..]), |(last, outer)| (*last, outer));
        let dtype = dtypes.first().copied().unwrap_or(F32);
        let reading = match dtypes.ends_with(&[F64]) {
            true => Reading::Double(through(dtypes)?),
            false => Reading::Single(through(dtypes)?),
        };
        let input = self.read(operand, operand.in_order(dtype)?, reading, [dtype, dtype]);
        let rows = outer.iter().product();
        Ok(Matrices { input, batch: SmallVec::new(), rows, columns, by_columns: false })
    }

    /// An operand of two axes as one matrix, which lies by columns.
    pub(super) fn columns(&mut self, operand: &'a Operand, dtypes: &[DType]) -> Result<Matrices> {
        let (sizes, dtype) = (operand.shape()?, dtypes.first().copied().unwrap_or(F32));
        let [rows, columns] = sizes[..] else {
            return invalid(format_args!("{} must have 2 axes", operand.name));
        };
        let view = operand.permuted(dtype, &[1, 0])?;
        let input = self.read(operand, view, Reading::Single(through(dtypes)?), [dtype, dtype]);
        Ok(Matrices { input, batch: SmallVec::new(), rows, columns, by_columns: true })
    }

    /// An operand as numbers, which are broadcast to a shape.
    pub(in crate::operators) fn numbers(
        &mut self,
        operand: &'a Operand,
        dtype: DType,
        shape: &Shape,
        strides: [usize; 2],
    ) -> Result<Spread> {
        let (view, reading) = match dtype {
            // f32 in the lower half of each element.
            I64 | U64 => {
                let halves: SmallVec<[isize; 8]> =
                    mapped(&operand.strides(), |stride| stride.saturating_mul(2));
                operand.in_order(dtype)?;
                (
                    View::new(F32, operand.shape()?, &halves, operand.offset().saturating_mul(2))?,
                    through(&[F32, F64])?,
                )
            }
            _ => (operand.view(dtype, shape)?, widening(dtype)?),
        };
        let input = self.read(operand, view, Reading::Double(reading), [dtype, dtype]);
        Ok(Spread { input, first: 0, strides })
    }

    /// The numbers of a matrix whose columns lie one after the other.
    pub(super) fn numbers_by_columns(&mut self, operand: &'a Operand, dtype: DType) -> Result<Spread> {
        let down = operand.shape()?.first().copied().unwrap_or(1);
        let view = operand.permuted(dtype, &[1, 0])?;
        let input = self.read(operand, view, Reading::Double(widening(dtype)?), [dtype, dtype]);
        Ok(Spread { input, first: 0, strides: [1, down] })
    }

    /// One number, or one for each of `columns`.
    pub(in crate::operators) fn row(
        &mut self,
        operand: &'a Operand,
        dtype: DType,
        columns: usize,
    ) -> Result<Spread> {
        let shape = operand.shape()?;
        match &shape[..] {
            [1] | [1, 1] => self.numbers(operand, dtype, shape, [0, 0]),
            [count] | [1, count] if *count == columns => self.numbers(operand, dtype, shape, [0, 1]),
            sizes => invalid(format_args!(
                "{} has shape {sizes:?}, but must have one element, or {columns}",
                operand.name
            )),
        }
    }

    /// A list of integers.
    pub(super) fn list(&mut self, operand: &'a Operand) -> Result<usize> {
        Ok(self.read(operand, operand.in_order(I64)?, Reading::Whole, [I64, I64]))
    }

    /// The plan, with the outputs and their types.
    pub(in crate::operators) fn plan(
        mut self,
        outputs: &[(&'a Operand, DType)],
        jobs: Jobs,
        groups: Option<Groups>,
    ) -> Result<Plan> {
        let (mut places, mut conversions) = (Vec::new(), Vec::new());
        for (operand, dtype) in outputs {
            places.push(self.builder.write(operand, *dtype, operand.in_order(*dtype)?, true)?);
            let is_short = dtype.is_float() && size_of_dtype(*dtype) < 4;
            conversions.push(if is_short { through(&[F64, F32, *dtype])? } else { through(&[F64, *dtype])? });
            self.kept.push((operand, *dtype, *dtype));
        }
        let (inputs, readings): (Vec<_>, Vec<_>) = self.inputs.into_iter().unzip();
        let body = Fused { inputs: readings, outputs: conversions, jobs, groups };
        self.builder.whole(&inputs, &places, body);
        Ok(self.builder.plan(temporaries(&self.kept)))
    }
}

/// The view of elements of four bits, which lie one after the other when their axes are in an order.
fn packed(operand: &Operand, sizes: &Shape, order: &[usize]) -> Result<View> {
    let strides = operand.strides();
    let mut step = 1;
    for axis in order.iter().rev() {
        if sizes[*axis] != 1 && strides[*axis] != step as isize {
            let name = operand.name;
            return Err(no_kernel(format_args!("{name} is packed i4 with gaps; make it contiguous first")));
        }
        step *= sizes[*axis];
    }
    Ok(View::packed(I4, step, operand.offset())?)
}

/// A product of each pair of matrices, whose other axes broadcast, and the shape of the result.
pub(in crate::operators) fn products(left: &Matrices, right: &Matrices) -> Result<(Jobs, Shape)> {
    if left.columns != right.rows {
        return invalid(format_args!(
            "the left factor has {} columns and the right one {} rows; both must be the same",
            left.columns, right.rows
        ));
    }
    let batch = broadcast(&Shape::from(&left.batch[..]), &Shape::from(&right.batch[..]))
        .or_else(|why| invalid(format_args!("the matrices of both do not broadcast: {why}")))?;
    let sizes = [left.rows, left.columns, right.columns];
    let job = Job {
        sizes,
        left: left.side(0),
        right: right.side(0),
        antiquant: None,
        steps: Vec::new(),
        output: (0, 0),
        group: None,
    };
    let pairs = pairs(&batch, [&left.batch, &right.batch])?;
    let shape = Shape::from([&batch[..], &[sizes[0], sizes[2]]].concat());
    Ok((Jobs::OfPairs { job: Box::new(job), pairs, rows_below: 0 }, shape))
}

/// Rounds to integers where the output holds such.
pub(super) fn rounding(dtype: DType) -> Option<Step> {
    match dtype {
        I8 => Some(Step::Round { least: -128.0, most: 127.0 }),
        I32 => Some(Step::Round { least: f64::from(i32::MIN), most: f64::from(i32::MAX) }),
        _ => None,
    }
}
