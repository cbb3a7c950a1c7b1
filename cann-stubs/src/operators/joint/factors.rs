//! Products of this rank: two matrices of floats or of integers with scales, or a matrix and a weight of integers.

use aclnn_numerics::DType::{self, BF16, F16, F32, F64, I4, I8, I32, I64, U64};
use aclnn_numerics::types_by_product::Types;
use aclnn_sys::{ACL_INT8, ACLNN_ERR_INNER, ACLNN_ERR_PARAM_NULLPTR};
use cann_kernels::products::matrix::{Antiquant, Step};

use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check;
use crate::operators::fused::{Fusion, group_size, one_of, products};
use crate::status::{Result, Status};

/// Modes of scales: one for each row, for each row as it is quantised here, and for each column. No type is -1.
const EACH_ROW: i64 = 3;
const QUANTISED_HERE: i64 = 7;
const EACH_COLUMN: i64 = 2;
const NO_TYPE: i64 = -1;

/// The numbers that turn integers into floats.
enum Scales<'c> {
    /// The factors are floats.
    None,
    /// A scale for all columns or for each, and one for each row.
    Columns(Operand<'c>),
    /// Scales and offsets of the weight, for so many rows together.
    Weight(Operand<'c>, Option<Operand<'c>>, i64),
}

/// The operands of a product and what is added to it.
pub(super) struct Factors<'c> {
    pub(super) x1: Operand<'c>,
    pub(super) x2: Operand<'c>,
    bias: Option<Operand<'c>>,
    /// A scale for each row of integers.
    pub(super) of_rows: Option<Operand<'c>>,
    x3: Option<Operand<'c>>,
    scales: Scales<'c>,
    pub(super) own: DType,
    /// The type of the result.
    pub(super) to: DType,
    transposed: [bool; 2],
    /// Whether the bias is added behind the scales.
    adds_late: bool,
}

/// The first of some parameters that the operator has, which may be null.
fn first_of<'c>(call: &'c Call<'_>, names: &[&str]) -> Result<Option<Operand<'c>>> {
    names.iter().find(|name| call.has(name)).map_or(Ok(None), |name| call.optional_tensor(name))
}

/// Refuses what moves data between ranks in a way that is not known. The known ways have one result; where a call names none, the
/// library chooses.
pub(super) fn comm_mode(call: &Call<'_>) -> Result {
    let mode = if call.has("commMode") { call.optional_text("commMode")? } else { None };
    match mode.as_deref() {
        None | Some("" | "aicpu" | "aiv") => Ok(()),
        Some(other) => check::not_emulated(format_args!("the commMode {other}, so it must be aicpu or aiv")),
    }
}

impl<'c> Factors<'c> {
    /// Checks null operands, and then types. `out` is the result of a product.
    pub(super) fn of(call: &'c Call<'_>, takes: Types, out: &Operand) -> Result<Self> {
        let (x1, x2) = (call.tensor("x1")?, call.tensor("x2")?);
        let bias = first_of(call, &["bias", "biasOptional"])?;
        let x3 = first_of(call, &["x3", "x3Optional"])?;
        let of_rows = first_of(call, &["pertokenScaleOptional", "x1ScaleOptional", "x1Scale"])?;
        let scales = if call.has("antiquantScale") {
            let offset = call.optional_tensor("antiquantOffset")?;
            Scales::Weight(call.tensor("antiquantScale")?, offset, call.int("antiquantGroupSize")?)
        } else if call.has("dequantScale") {
            Scales::Columns(call.tensor("dequantScale")?)
        } else if call.has("x1ScaleOptional") || call.has("x1QuantMode") {
            Scales::Columns(call.tensor("x2Scale")?)
        } else {
            first_of(call, &["x2Scale"])?.map_or(Scales::None, Scales::Columns)
        };
        // Some forms quantise floats.
        let own = match check::dtype(&x1, takes)? {
            F16 | BF16 if call.has("x1QuantDtype") => I8,
            own => own,
        };
        let to = one_of(out, &[F16, BF16])?;
        let flag = |name| if call.has(name) { call.flag(name) } else { Ok(false) };
        let transposed = [flag("transposeX1")?, flag("transposeX2")?];
        let adds_late = call.has("quantScale") || call.has("x1QuantMode");
        let factors = Self { x1, x2, bias, of_rows, x3, scales, own, to, transposed, adds_late };
        factors.check_types()?;
        factors.check_modes(call)?;
        Ok(factors)
    }

    fn check_types(&self) -> Result {
        let Self { x2, own, to, .. } = self;
        let biases: &[DType] = match (&self.scales, own) {
            (Scales::Columns(scale), I8) => {
                one_of(x2, &[I8])?;
                one_of(scale, &[U64, I64, F32, BF16])?;
                if self.adds_late { &[F32] } else { &[I32] }
            }
            (Scales::Weight(scale, offset, _), _) if *own == *to => {
                one_of(x2, &[I8, I4, I32])?;
                one_of(scale, &[*own])?;
                offset.as_ref().map(|offset| one_of(offset, &[*own])).transpose()?;
                &[F16, BF16, F32]
            }
            (Scales::None, F16 | BF16) if *own == *to => {
                one_of(x2, &[*own])?;
                &[F16, BF16, F32]
            }
            _ => return invalid("integers go with scales, and floats have the type of the result"),
        };
        // A bias of floats has the type of the operands, or f32 beside bf16.
        let suits = |dtype: &&DType| *own == I8 || **dtype == *own || (**dtype, *own) == (F32, BF16);
        let biases: Vec<DType> = biases.iter().filter(suits).copied().collect();
        self.bias.as_ref().map(|bias| one_of(bias, &biases)).transpose()?;
        self.x3.as_ref().map(|x3| one_of(x3, &[*to])).transpose()?;
        self.of_rows.as_ref().map(|scale| one_of(scale, &[F32])).transpose()?;
        match (self.of_rows.is_some(), &self.scales) {
            (true, Scales::None) => invalid("scales of rows go with a scale of columns"),
            _ => Ok(()),
        }
    }

    /// Refuses the attributes that have one value alone, and what is left to a device.
    fn check_modes(&self, call: &Call<'_>) -> Result {
        for name in ["commQuantScale1Optional", "commQuantScale2Optional", "commScaleOptional", "quantScale"]
        {
            if call.has(name) && call.optional_tensor(name)?.is_some() {
                return check::not_emulated(format_args!(
                    "sums of ranks in integers, so {name} must be null"
                ));
            }
        }
        for name in ["x1OffsetOptional", "x2OffsetOptional"] {
            if call.has(name) && call.optional_tensor(name)?.is_some() {
                return check::not_emulated(format_args!(
                    "products of ranks with offsets, so {name} must be null"
                ));
            }
        }
        comm_mode(call)?;
        if call.has("x1QuantMode") {
            self.check_scales_of_rows(call)?;
        }
        for (name, value) in [
            ("commTurn", 0),
            ("streamMode", 1),
            ("gatherIndex", 0),
            ("blockSize", 0),
            ("groupSize", 0),
            ("commQuantMode", 0),
        ] {
            if call.has(name) && call.int(name)? != value {
                return invalid(format_args!("{name} is {}, but must be {value}", call.int(name)?));
            }
        }
        if call.has("reduceOp") && call.text("reduceOp")? != "sum" {
            return invalid(format_args!("reduceOp is \"{}\", but must be \"sum\"", call.text("reduceOp")?));
        }
        Ok(())
    }

    /// Checks the scales of rows: those of floats, which are quantised to i8, are found out.
    fn check_scales_of_rows(&self, call: &Call<'_>) -> Result {
        let is_quantised = self.x1.known_dtype() != Some(I8);
        if is_quantised && call.int("x1QuantDtype")? != i64::from(ACL_INT8.0) {
            return check::not_emulated(format_args!(
                "rows that are quantised to another type than i8, so x1QuantDtype must be {}",
                ACL_INT8.0
            ));
        }
        let of_rows = if is_quantised { QUANTISED_HERE } else { EACH_ROW };
        for (name, value) in
            [("x1QuantMode", of_rows), ("x2QuantMode", EACH_COLUMN), ("commQuantDtype", NO_TYPE)]
        {
            if call.int(name)? != value {
                return check::not_emulated(format_args!(
                    "products of ranks with another {name}, so it must be {value}"
                ));
            }
        }
        match (is_quantised, &self.of_rows) {
            (false, None) => {
                Err(Status::new(ACLNN_ERR_PARAM_NULLPTR, "x1 is i8, but the scales of its rows are null"))
            }
            (true, Some(scale)) => invalid(format_args!(
                "{} must be null, since x1 is quantised by scales of its own",
                scale.name
            )),
            _ => Ok(()),
        }
    }

    /// Rows, summands and columns of the product. Rows may have one to `most` axes.
    pub(super) fn size(&self, most: usize) -> Result<[usize; 3]> {
        let (sizes, of_x2) = (self.x1.shape()?, self.x2.shape()?);
        if !(1..=most).contains(&sizes.rank()) {
            let message = format_args!("x1 has {} axes, but must have from 1 to {most}", sizes.rank());
            return Err(Status::new(ACLNN_ERR_INNER, message));
        }
        let ([outer @ .., k], [rows, columns]) = (&sizes[..], &of_x2[..]) else {
            return invalid(format_args!("x2 has {} axes, but must have 2", of_x2.rank()));
        };
        let (k, outer) = match (self.transposed[0], outer) {
            (true, [rows]) => (*rows, *k),
            (true, _) => return invalid("x1 must have 2 axes to be transposed"),
            (false, outer) => (*k, outer.iter().product()),
        };
        let held = if self.x2.known_dtype() == Some(I32) { 8 } else { 1 };
        let by_columns = matches!(self.x2.strides()[..], [1, across] if across != 1);
        let (rows, columns) = if by_columns {
            (rows.saturating_mul(held), *columns)
        } else {
            (*rows, columns.saturating_mul(held))
        };
        let (_, columns) = if self.transposed[1] { (columns, rows) } else { (rows, columns) };
        Ok([outer, k, columns])
    }

    /// The product of the rows of `left`, which take the place of x1, written to elements of `out` in their order. The rows of
    /// integers have the scales `of_rows`.
    pub(super) fn product(&self, left: &Operand, of_rows: Option<&Operand>, out: &Operand) -> Result<Plan> {
        let mut fusion = Fusion::default();
        let wide = if self.own == I8 { F64 } else { F32 };
        let left = match self.transposed[0] {
            true => fusion.matrices(left, &[self.own, wide])?.transposed(true),
            false => fusion.rows(left, &[self.own, wide])?,
        };
        let stored = self.x2.known_dtype().unwrap_or(self.own);
        let right = fusion.matrices(&self.x2, &[stored, wide])?.transposed(self.transposed[1]);
        let (mut jobs, _) = products(&left, &right)?;
        let mut steps = Vec::new();
        let added = match &self.bias {
            Some(bias) => Some(Step::Add(fusion.row(bias, check::any_dtype(bias)?, right.columns)?)),
            None => None,
        };
        steps.extend(added.filter(|_| !self.adds_late));
        match &self.scales {
            Scales::None => {}
            Scales::Columns(scale) => {
                steps.push(Step::Multiply(fusion.row(scale, check::any_dtype(scale)?, right.columns)?));
            }
            Scales::Weight(scale, offset, group) => {
                let group = group_size(*group, &right)?;
                let scale = fusion.scales(scale, self.own, group, &right)?;
                let offset = offset
                    .as_ref()
                    .map(|offset| fusion.scales(offset, self.own, group, &right))
                    .transpose()?;
                jobs = jobs.of_integers(Antiquant { scale, offset, rows: group.unwrap_or(right.rows) });
            }
        }
        if let Some(scale) = of_rows {
            let shape = scale.shape()?;
            let strides = match shape.numel() {
                Some(1) => [0, 0],
                Some(count) if count == left.rows => [1, 0],
                _ => {
                    return invalid(format_args!(
                        "{} has shape {shape}, but there are {} rows",
                        scale.name, left.rows
                    ));
                }
            };
            steps.push(Step::Multiply(fusion.numbers(scale, F32, shape, strides)?));
        }
        steps.extend(added.filter(|_| self.adds_late));
        if let Some(x3) = &self.x3 {
            let shape = x3.shape()?;
            if shape.numel() != Some(left.rows.saturating_mul(right.columns)) {
                return invalid(format_args!(
                    "{} has shape {shape}, which is not that of the result",
                    x3.name
                ));
            }
            steps.push(Step::Add(fusion.numbers(x3, self.to, shape, [right.columns, 1])?));
        }
        fusion.plan(&[(out, self.to)], jobs.followed_by(&steps, 0), None)
    }
}
