//! Operands as matrices, and plans of products of them.

use aclnn_numerics::DType::{self, BF16, Bool, F32, F64, I64};
use aclnn_numerics::layout::{Shape, broadcast};
use cann_kernels::products::matrix::{Compute, FEW, Finish, Pairs, Products, Scaled, Stored};
use cann_kernels::{Conversions, Lane, View, size_of_dtype};
use smallvec::SmallVec;

use super::types::Kinds;
use crate::mapped::mapped;
use crate::operators::axes::{invalid, tasks, temporaries};
use crate::operators::call::{Operand, Plan};
use crate::operators::conversions::{self, through};
use crate::operators::plan_builder::PlanBuilder;
use crate::status::Result;

/// An operand as matrices, one for each index of its other axes.
#[derive(Clone)]
pub(super) struct Matrices<'a> {
    pub(super) operand: &'a Operand<'a>,
    pub(super) dtype: DType,
    /// The other axes.
    pub(super) batch: SmallVec<[usize; 8]>,
    pub(super) rows: usize,
    pub(super) columns: usize,
    /// Whether the columns of these matrices are the rows of those that the operand holds.
    transposed: bool,
}

impl<'a> Matrices<'a> {
    /// The last two axes of the operand are those of the matrices. A vector is one row.
    pub(super) fn of(operand: &'a Operand, dtype: DType) -> Result<Self> {
        let sizes = operand.shape()?;
        let (batch, rows, columns) = match &sizes[..] {
            [batch @ .., rows, columns] => (batch, *rows, *columns),
            [columns] => (&[][..], 1, *columns),
            [] => (&[][..], 1, 1),
        };
        Ok(Self { operand, dtype, batch: SmallVec::from_slice(batch), rows, columns, transposed: false })
    }

    /// The same with rows for columns.
    pub(super) fn transposed(self) -> Self {
        Self { rows: self.columns, columns: self.rows, transposed: !self.transposed, ..self }
    }

    /// All matrices as one, whose rows are those of all.
    fn folded(self) -> Self {
        let rows = self.batch.iter().product::<usize>() * self.rows;
        Self { batch: SmallVec::new(), rows, ..self }
    }

    /// Returns whether the elements of a column of the operand lie one after the other, and those of a row do not.
    fn lies_by_columns(&self) -> bool {
        let strides = self.operand.strides();
        matches!(&strides[..], [.., 1, across] if *across != 1)
    }

    /// All elements, in an order in which they may lie in memory, and whether the columns of these matrices are runs of it.
    fn view(&self) -> Result<(View, bool)> {
        let rank = self.operand.rank();
        if self.lies_by_columns() {
            let mut order: SmallVec<[usize; 8]> = (0..rank).collect();
            order.swap(rank - 2, rank - 1);
            return Ok((self.operand.permuted(self.dtype, &order)?, !self.transposed));
        }
        Ok((self.operand.in_order(self.dtype)?, self.transposed))
    }

    fn numel(&self) -> usize {
        self.batch
            .iter()
            .fold(self.rows.saturating_mul(self.columns), |count, size| count.saturating_mul(*size))
    }
}

/// A product of two operands.
pub(super) struct Product<'a> {
    left: Matrices<'a>,
    right: Matrices<'a>,
    pairs: Pairs,
    /// The other axes of the result.
    pub(super) batch: Shape,
    pub(super) kinds: Kinds,
}

/// What is added to a product.
pub(super) struct Added<'a> {
    pub(super) own: Option<(&'a Operand<'a>, DType, f64)>,
    /// The shape of the result.
    pub(super) shape: &'a Shape,
    pub(super) alpha: f64,
    /// Whether the products of all pairs are summed up.
    pub(super) is_total: bool,
    /// The types to which the product, the scaled tensor and their sum are rounded.
    pub(super) product: DType,
    pub(super) scaled: DType,
    pub(super) sum: DType,
}

impl<'a> Product<'a> {
    /// The other axes of both broadcast.
    pub(super) fn of(left: Matrices<'a>, right: Matrices<'a>, kinds: Kinds) -> Result<Self> {
        if left.columns != right.rows {
            return invalid(format_args!(
                "{} has {} columns and {} has {} rows; both must be the same",
                left.operand.name, left.columns, right.operand.name, right.rows
            ));
        }
        let batch = broadcast(&Shape::from(&left.batch[..]), &Shape::from(&right.batch[..]))
            .or_else(|why| invalid(format_args!("the matrices of both do not broadcast: {why}")))?;
        // Rows of all matrices are multiplied by the same matrix.
        let folds = right.batch.is_empty() && !left.transposed && !left.lies_by_columns();
        let left = if folds { left.folded() } else { left };
        let pairs = match folds {
            true => Pairs::single(),
            false => pairs(&batch, [&left.batch, &right.batch])?,
        };
        Ok(Self { left, right, pairs, batch, kinds })
    }

    /// Rows and columns of a result.
    pub(super) fn size(&self) -> [usize; 2] {
        [self.left.rows, self.right.columns]
    }

    /// How many elements all results have.
    pub(super) fn numel(&self) -> usize {
        self.pairs.len().saturating_mul(self.left.rows).saturating_mul(self.right.columns)
    }

    /// Returns whether the sums have no summands.
    pub(super) fn is_of_nothing(&self) -> bool {
        self.left.columns == 0
    }

    /// The product, written to an output.
    pub(super) fn plan(&self, output: (&Operand, DType)) -> Result<Plan> {
        let kernel = self.kinds.kernel;
        let nothing = Added {
            own: None,
            shape: &self.batch,
            alpha: 1.0,
            is_total: false,
            product: kernel,
            scaled: kernel,
            sum: kernel,
        };
        self.plan_added(&nothing, output)
    }

    /// The product and what is added to it, written to an output.
    pub(super) fn plan_added(&self, added: &Added<'_>, (out, to): (&Operand, DType)) -> Result<Plan> {
        let Self { left, right, kinds, .. } = self;
        let [rows, columns] = self.size();
        let (compute, seen) = match kernel_type(kinds.compute, added.sum) {
            // Products with a vector are as fast as memory in f32.
            (Compute::Bf16, _) if rows == 1 || columns == 1 => (Compute::F32, F32),
            chosen => chosen,
        };
        let sums = if compute == Compute::Bf16 { F32 } else { seen };
        let mut builder = PlanBuilder::new();
        let mut inputs = Vec::new();
        let mut transposed = [false; 2];
        let mut matrix = None;
        // The operand that is multiplied by a vector, or by a few that lie one after the other.
        let are_few = rows == 1 || compute != Compute::Bf16 && rows <= FEW && !left.view()?.1;
        let with_a_vector = (columns == 1).then_some(0).or(are_few.then_some(1));
        for (number, matrices) in [left, right].into_iter().enumerate() {
            let (view, by_columns) = matrices.view()?;
            transposed[number] = by_columns;
            let direct = matrices.dtype == kinds.compute;
            let mut lane = read(matrices.numel(), &[matrices.dtype, kinds.compute, seen])?;
            // A large matrix, which is converted in small parts, once for each pair that has it.
            if with_a_vector == Some(number) && !lane.conversions.is_empty() {
                lane.size = size_of_dtype(matrices.dtype);
                let conversions = std::mem::take(&mut lane.conversions);
                let is_bf16 = (matrices.dtype, seen, conversions.steps().len()) == (BF16, F32, 1);
                matrix = Some(Stored { size: lane.size, conversions, is_bf16 });
            }
            inputs.push((builder.read(matrices.operand, view, direct), lane));
        }
        let count = if added.is_total { 1 } else { self.pairs.len() };
        let results = rows.saturating_mul(columns).saturating_mul(count);
        let mut kept: Vec<(&Operand, DType, DType)> =
            vec![(left.operand, left.dtype, kinds.compute), (right.operand, right.dtype, kinds.compute)];
        if let Some((own, dtype, _)) = added.own {
            let view = own.view(dtype, added.shape)?;
            inputs.push((builder.read(own, view, true), read(results, &[dtype, sums])?));
            kept.push((own, dtype, added.scaled));
        }
        let result = builder.write(out, to, out.in_order(to)?, added.sum == to)?;
        kept.push((out, to, added.sum));
        let finish = Finish {
            product: rounding(sums, added.product)?,
            is_total: added.is_total,
            alpha: added.alpha,
            beta: added.own.map(|(_, _, beta)| beta),
            own: rounding(sums, added.scaled)?,
        };
        // A rounding that the conversion to the output does anyway.
        let finish = match added.own.is_none() && added.alpha == 1.0 && !added.is_total {
            true => Finish { product: Conversions::default(), ..finish },
            false => finish,
        };
        let sizes = [rows, left.columns, columns];
        // The sums need not be written before they are rounded.
        let (compute, made) = match compute {
            Compute::Bf16 if finish.is_nothing() && added.sum == DType::BF16 => {
                (Compute::RoundedBf16, DType::BF16)
            }
            other => (other, sums),
        };
        let body = Products { compute, sizes, pairs: self.pairs.clone(), transposed, finish, matrix };
        builder.lanes(inputs, [(result, written(results, &[made, added.sum, to])?)], 1, body);
        let casts: Vec<(DType, DType)> = mapped(&kept, |(_, own, seen)| (*own, *seen));
        Ok(builder.plan(temporaries(&kept)).by(tasks(true, &casts)))
    }
}

/// A tensor times a factor, in its own type, broadcast to a shape and written to an output.
pub(super) fn scaled(
    (own, dtype): (&Operand, DType),
    factor: f64,
    shape: &Shape,
    (out, to): (&Operand, DType),
) -> Result<Plan> {
    let (compute, seen) = kernel_type(dtype, dtype);
    let seen = if compute == Compute::Bf16 { F32 } else { seen };
    let compute = if compute == Compute::Bf16 { Compute::F32 } else { compute };
    let count = shape.numel().unwrap_or(0);
    let mut builder = PlanBuilder::new();
    let input = builder.read(own, own.view(dtype, shape)?, true);
    let result = builder.write(out, to, out.in_order(to)?, dtype == to)?;
    let lanes = [(input, read(count, &[dtype, seen])?)];
    builder.lanes(lanes, [(result, written(count, &[seen, dtype, to])?)], 1, Scaled { compute, factor });
    Ok(builder.plan(temporaries(&[(own, dtype, dtype), (out, to, dtype)])).by(tasks(true, &[(dtype, to)])))
}

/// How products are computed in a type, and the type in which operands are given for that. Halves are summed in f32, and
/// integers in i64, of which the lower bits count.
fn kernel_type(dtype: DType, sum: DType) -> (Compute, DType) {
    match dtype {
        F64 => (Compute::F64, F64),
        _ if sum == F64 => (Compute::F64, F64),
        DType::BF16 if Products::has_bf16() => (Compute::Bf16, DType::BF16),
        _ if sum.is_float() || dtype.is_float() => (Compute::F32, F32),
        _ => (Compute::I64, I64),
    }
}

/// Elements of an operand, converted through types to the one that a kernel sees.
fn read(len: usize, dtypes: &[DType]) -> Result<Lane> {
    let seen = dtypes.last().copied().unwrap_or(F32);
    Ok(Lane { len, conversions: through(dtypes)?, size: size_of_dtype(seen) })
}

/// Elements of a result, converted through types from the one that a kernel makes.
fn written(len: usize, dtypes: &[DType]) -> Result<Lane> {
    let made = dtypes.first().copied().unwrap_or(F32);
    Ok(Lane { len, conversions: through(dtypes)?, size: size_of_dtype(made) })
}

fn rounding(from: DType, through: DType) -> Result<Conversions> {
    if through == Bool && !from.is_float() {
        return conversions::through(&[from, Bool, from]);
    }
    conversions::through(&[from, through, from])
}

/// The pairs of the matrices of two operands whose other axes are broadcast to `batch`.
pub(in crate::operators) fn pairs(batch: &[usize], operands: [&[usize]; 2]) -> Result<Pairs> {
    Pairs::of(batch, operands).map_or_else(|| invalid("there are more matrices than can be counted"), Ok)
}
