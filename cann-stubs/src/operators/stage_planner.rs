//! [`StagePlanner`]: a plan in the making, of stages whose bodies see elements in any type, and lists and tables beside
//! rows. With it, the checks that operators on rows of tokens share. Where all is f32 and operands may be missing,
//! `lane_planner` is shorter; where one function sees everything, `whole_stage`.

use aclnn_numerics::DType::{self, I8, I32, I64};
use aclnn_sys::{
    ACLNN_ERR_INNER_FIND_KERNEL_ERROR, ACLNN_ERR_INNER_NULLPTR, ACLNN_ERR_INNER_TILING_ERROR,
    ACLNN_ERR_PARAM_INVALID,
};
use cann_kernels::networks::experts::combine::{self, int};
use cann_kernels::networks::experts::rows::{RowFunction, Rows, Tables};
use cann_kernels::{LaneBody, View};

use crate::mapped::mapped;
use crate::operators::axes::{invalid, temporaries};
use crate::operators::call::{Operand, Plan};
use crate::operators::check;
pub(super) use crate::operators::plan_builder::Used;
use crate::operators::plan_builder::{Place, PlanBuilder, read_lanes, written_lanes};
use crate::status::Result;

/// Refuses what is refused where the work is divided, with the code that phase one gives then.
#[derive(Clone, Copy)]
pub(super) enum Divided {
    /// Phase one is not written by hand.
    Generated,
    /// Phase one calls the kernel.
    Launched,
    /// Phase one calls the kernel and does not look whether that was possible.
    Later,
}

impl Divided {
    pub(super) fn check<T>(self, checked: Result<T>) -> Result<T> {
        let code = match self {
            Divided::Generated => ACLNN_ERR_INNER_TILING_ERROR,
            Divided::Launched => ACLNN_ERR_INNER_NULLPTR,
            Divided::Later => ACLNN_ERR_INNER_FIND_KERNEL_ERROR,
        };
        checked.map_err(|status| match status.code {
            ACLNN_ERR_PARAM_INVALID => status.with_code(code),
            _ => status,
        })
    }
}

/// Checks that an operand has one of these types; one without elements may have any.
#[inline(never)]
pub(super) fn typed(operand: &Operand, is_one: &[DType]) -> Result {
    match operand.known_dtype() {
        _ if operand.is_empty() => Ok(()),
        Some(dtype) if is_one.contains(&dtype) => Ok(()),
        _ => invalid(format_args!("{} must be one of {is_one:?}", operand.name)),
    }
}

/// The number of elements of sizes; so many that no tensor has them, if they cannot be counted.
pub(super) fn numel_of(sizes: &[usize]) -> usize {
    match sizes.contains(&0) {
        true => 0,
        false => sizes.iter().fold(1, |all, size| all.saturating_mul(*size)),
    }
}

/// The sizes of an operand with so many axes.
#[inline(never)]
pub(super) fn sizes<const N: usize>(operand: &Operand) -> Result<[usize; N]> {
    let shape = operand.shape()?;
    let wanted = || invalid(format_args!("{} has shape {shape}, but must have {N} axes", operand.name));
    <[usize; N]>::try_from(&shape[..]).or_else(|_| wanted())
}

/// A number among the arguments, which must lie in a range.
#[inline(never)]
pub(super) fn within(name: &str, number: i64, range: std::ops::RangeInclusive<i64>) -> Result<usize> {
    match usize::try_from(number) {
        Ok(value) if range.contains(&number) => Ok(value),
        _ => {
            invalid(format_args!("{name} is {number}, but must be from {} to {}", range.start(), range.end()))
        }
    }
}

/// A plan in the making, which counts the workspace.
#[derive(Default)]
pub(super) struct StagePlanner {
    pub(super) builder: PlanBuilder,
    workspace: u64,
}

impl StagePlanner {
    pub(super) fn count(&mut self, operand: &Operand, dtype: DType) {
        self.workspace = self.workspace.saturating_add(temporaries(&[(operand, dtype, dtype)]));
    }

    /// An operand as lanes of `len` elements, which a body sees as `seen`; in their own type if there is none.
    #[inline(never)]
    pub(super) fn read(&mut self, operand: &Operand, len: usize, seen: Option<DType>) -> Result<Used> {
        self.read_view(operand, operand.in_order(check::any_dtype(operand)?)?, len, seen)
    }

    /// The elements of a view of an operand, in its own type, likewise.
    pub(super) fn read_view(
        &mut self,
        operand: &Operand,
        view: View,
        len: usize,
        seen: Option<DType>,
    ) -> Result<Used> {
        let own = check::any_dtype(operand)?;
        self.count(operand, own);
        Ok((self.builder.read(operand, view, true), read_lanes(len, own, seen.unwrap_or(own))?))
    }

    /// Rows of which a body reads those that lists name.
    #[inline(never)]
    pub(super) fn table(&mut self, operand: &Operand, len: usize, seen: Option<DType>) -> Result<Used> {
        let own = check::any_dtype(operand)?;
        self.table_view(operand, operand.in_order(own)?, len, seen)
    }

    /// Rows of an operand through a view of it, as [`table`](Self::table) has them.
    pub(super) fn table_view(
        &mut self,
        operand: &Operand,
        view: View,
        len: usize,
        seen: Option<DType>,
    ) -> Result<Used> {
        let own = check::any_dtype(operand)?;
        self.count(operand, own);
        Ok((self.builder.look_up(operand, view), read_lanes(len, own, seen.unwrap_or(own))?))
    }

    /// An operand of one axis as the same lane again and again.
    pub(super) fn read_again(&mut self, operand: &Operand, count: usize, seen: DType) -> Result<Used> {
        let (own, [len]) = (check::any_dtype(operand)?, sizes::<1>(operand)?);
        let stride = operand.strides().first().copied().unwrap_or(1);
        let view = operand.view_of(own, &[count, len], &[0, stride], operand.offset())?;
        self.read_view(operand, view, len, Some(seen))
    }

    /// All elements of an operand as one list.
    #[inline(never)]
    pub(super) fn list(&mut self, operand: &Operand, seen: Option<DType>) -> Result<Used> {
        let len = operand.shape()?.numel().unwrap_or(0);
        self.read(operand, len, seen)
    }

    /// An output, of which a body writes lanes of `len` elements as `seen`.
    #[inline(never)]
    pub(super) fn write(&mut self, operand: &Operand, len: usize, seen: Option<DType>) -> Result<Used> {
        self.write_view(operand, operand.in_order(check::any_dtype(operand)?)?, len, seen)
    }

    /// An output through a view of its own type, likewise.
    pub(super) fn write_view(
        &mut self,
        operand: &Operand,
        view: View,
        len: usize,
        seen: Option<DType>,
    ) -> Result<Used> {
        let own = check::any_dtype(operand)?;
        self.count(operand, own);
        let place = self.builder.write(operand, own, view, true)?;
        Ok((place, written_lanes(len, seen.unwrap_or(own), own)?))
    }

    /// A list as an output; memory of so many elements where the output is not written.
    pub(super) fn write_list(
        &mut self,
        operand: Option<&Operand>,
        seen: DType,
        otherwise: usize,
    ) -> Result<Used> {
        match operand.filter(|operand| !operand.is_empty()) {
            Some(operand) => {
                let len = operand.shape()?.numel().unwrap_or(0);
                self.write(operand, len, Some(seen))
            }
            None => self.kept(seen, otherwise),
        }
    }

    /// A list that later stages read.
    pub(super) fn kept(&mut self, dtype: DType, len: usize) -> Result<Used> {
        let len = len.max(1);
        Ok((self.builder.temporary(dtype, len)?, read_lanes(len, dtype, dtype)?))
    }

    pub(super) fn lanes(
        &mut self,
        inputs: impl AsRef<[Used]>,
        outputs: impl AsRef<[Used]>,
        count: usize,
        body: impl LaneBody + 'static,
    ) {
        self.builder.lanes(inputs, outputs, count, body);
    }

    /// Copies `count` rows of `len` elements; each source is the number of a choice, of which a token has `k`. A row without a
    /// source is zero, or stays if `keeps`.
    pub(super) fn copy_rows(
        &mut self,
        tokens: &Operand,
        sources: &Used,
        out: &Operand,
        [len, count, k]: [usize; 3],
        keeps: bool,
    ) -> Result {
        if [len, count].contains(&0) {
            return Ok(());
        }
        let tables = vec![self.table(tokens, len, None)?];
        let (lists, outputs) = (vec![again(sources, I32)?], vec![self.write(out, len, None)?]);
        self.rows("copy rows", [tables, lists, outputs], count, move |row, tables, lists, outputs| {
            let ([sources], [out]) = (lists, outputs) else { return Ok(false) };
            let source = int(sources, row);
            if source < 0 && keeps {
                return Ok(false);
            }
            let token = if source < 0 { -1 } else { source / k.max(1) as i64 };
            combine::copy(tables, token, out)?;
            Ok(true)
        });
        Ok(())
    }

    /// Computes `count` rows of the outputs, by rows of the tables and by whole lists.
    #[inline(never)]
    pub(super) fn rows(
        &mut self,
        step: &'static str,
        [tables, lists, outputs]: [Vec<Used>; 3],
        count: usize,
        function: impl Fn(usize, &Tables<'_>, &[&[u8]], &mut [&mut [u8]]) -> cann_kernels::Result<bool>
        + Send
        + Sync
        + 'static,
    ) {
        self.rows_of(step, &[tables, lists, outputs], count, Box::new(function));
    }

    fn rows_of(
        &mut self,
        step: &'static str,
        used: &[Vec<Used>; 3],
        count: usize,
        function: Box<dyn RowFunction>,
    ) {
        let [tables, lists, outputs] = used;
        let places = |used: &[Used]| -> Vec<Place> { mapped(used, |(place, _)| *place) };
        let lanes = |used: &[Used]| mapped(used, |(_, lane)| *lane);
        let (inputs, lanes) =
            ([places(tables), places(lists)], [lanes(tables), lanes(lists), lanes(outputs)]);
        self.builder.whole(&inputs.concat(), &places(outputs), Rows::new(step, lanes, count, function));
    }

    pub(super) fn plan(self) -> Plan {
        self.builder.plan(self.workspace)
    }
}

/// A list of one stage as an input of another.
pub(super) fn again(used: &Used, dtype: DType) -> Result<Used> {
    Ok((used.0, read_lanes(used.1.len, dtype, dtype)?))
}

/// The types of indices.
pub(super) const INDICES: &[DType] = &[I32];
pub(super) const ANY_INDICES: &[DType] = &[I32, I64];
pub(super) const BYTES: &[DType] = &[I8, DType::Bool];
