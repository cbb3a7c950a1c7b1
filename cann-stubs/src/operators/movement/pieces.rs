//! Pieces of a movement: parts of inputs that go to parts of outputs, and parts that get one value.

use aclnn_numerics::DType;
use aclnn_numerics::convert::cann::scalar_converter;
use aclnn_numerics::layout::{Layout, Shape};
use aclnn_sys::ACLNN_ERR_INNER_NULLPTR;
use cann_kernels::size_of_dtype;
use smallvec::{SmallVec, smallvec};

use super::rules::{layout as layout_of, refuse};
use crate::compute::units;
use crate::mapped::mapped;
use crate::meta::plan::Slot;
use crate::operators::call::{Operand, Plan, Tasks, workspace};
use crate::operators::conversions;
use crate::operators::plan_builder::PlanBuilder;
use crate::settings;
use crate::status::{Result, Status};

/// The parts, in the order in which they are written.
#[derive(Default)]
pub(super) struct Pieces {
    builder: PlanBuilder,
    copies: usize,
    fills: usize,
    /// Bytes that the last copy moves, if it moves all elements of a tensor, as they are, from one piece of memory to another.
    whole: Option<usize>,
    /// The tensors that a device makes contiguous or converts first, or writes through a temporary.
    temporaries: Vec<(Slot, usize)>,
    on_cores: bool,
}

impl Pieces {
    pub(super) fn new() -> Self {
        Self { on_cores: true, ..Self::default() }
    }

    /// The plan of one copy.
    pub(super) fn one(from: (&Operand, Layout), to: (&Operand, Layout)) -> Result<Plan> {
        let mut pieces = Self::new();
        pieces.copy(from, None, to)?;
        pieces.plan()
    }

    /// Copies elements of an operand to those of another, through a type. Both layouts have one shape.
    pub(super) fn copy(
        &mut self,
        (from, own): (&Operand, Layout),
        between: Option<DType>,
        (to, out): (&Operand, Layout),
    ) -> Result {
        debug_assert_eq!(own.shape(), out.shape());
        if own.shape().is_empty_tensor() {
            return Ok(());
        }
        let [of, made] = [dtype(from)?, dtype(to)?];
        let between = between.unwrap_or(of);
        let conversions = conversions::through(&[of, between, made])?;
        let product = settings::get().product;
        self.on_cores &= units::moves(product, between)
            && units::converts(product, of, between)
            && units::converts(product, between, made);
        let [reads, writes] = [of == between && from.is_contiguous(), made == between && to.is_contiguous()];
        self.kept(from, between, reads);
        self.kept(to, between, writes);
        let whole = own.numel().filter(|_| {
            let all = |operand: &Operand, part: &Layout| {
                operand.is_contiguous()
                    && part.is_contiguous()
                    && operand.shape().is_ok_and(|own| own.numel() == part.numel())
            };
            all(from, &own) && all(to, &out)
        });
        self.whole = whole.filter(|_| conversions.is_empty()).and_then(|count| made.storage_bytes(count));
        let ([own, out], [seen, stored]) = match of.bits() < 8 && of == made {
            true => (in_bytes([(from, own), (to, out)])?, [DType::U8; 2]),
            false => ([own, out], [of, made]),
        };
        let shape: SmallVec<[usize; 8]> = SmallVec::from_slice(own.shape());
        self.copies += 1;
        let read = self.builder.read(from, view(from, seen, &own)?, reads);
        let written = self.builder.write(to, stored, view(to, stored, &out)?, writes)?;
        self.builder.carry(read, written, &shape, conversions);
        Ok(())
    }

    /// Writes an element, in the type of the operand, to a part of it.
    pub(super) fn fill(&mut self, element: &[u8], (to, out): (&Operand, Layout)) -> Result {
        if out.shape().is_empty_tensor() {
            return Ok(());
        }
        let dtype = dtype(to)?;
        self.on_cores &= units::moves(settings::get().product, dtype);
        self.kept(to, dtype, to.is_contiguous());
        self.fills += 1;
        let (out, dtype) = match dtype.bits() < 8 {
            true => {
                let [out, _] = in_bytes([(to, out.clone()), (to, out)])?;
                (out, DType::U8)
            }
            false => (out, dtype),
        };
        let written = self.builder.write(to, dtype, view(to, dtype, &out)?, to.is_contiguous())?;
        self.builder.fill(written, out.shape(), element);
        Ok(())
    }

    /// Notes that a device keeps an operand as `dtype` in a temporary, unless it uses it as it is.
    fn kept(&mut self, operand: &Operand, dtype: DType, is_direct: bool) {
        let bytes = || Some(dtype.storage_bytes(operand.shape().ok()?.numel()?).unwrap_or(usize::MAX));
        if !is_direct
            && self.temporaries.iter().all(|(slot, _)| *slot != operand.slot())
            && let Some(bytes) = bytes()
        {
            self.temporaries.push((operand.slot(), bytes));
        }
    }

    pub(super) fn plan(self) -> Result<Plan> {
        if self.copies + self.fills == 0 {
            return Ok(Plan::empty());
        }
        let workspace = workspace(self.temporaries.iter().map(|(_, bytes)| Some(*bytes)));
        let product = settings::get().product;
        let tasks = match self.whole {
            Some(bytes) if self.copies == 1 && units::copies(product, bytes) => Tasks::Copy,
            _ if self.on_cores => Tasks::Cores,
            _ => Tasks::Processors,
        };
        Ok(self.builder.plan(workspace).by(tasks))
    }
}

/// The bytes of parts whose elements are halves of a byte. Both parts have one shape, and rows of whole bytes.
fn in_bytes(parts: [(&Operand, Layout); 2]) -> Result<[Layout; 2]> {
    let [(_, first), _] = &parts;
    let mut axes = first.rank();
    let mut row = 1;
    // The axes that both have in one piece.
    while let Some(axis) = axes.checked_sub(1) {
        let size = first.shape()[axis];
        let is_next = |layout: &Layout| size == 1 || layout.strides()[axis] == row as isize;
        if !parts.iter().all(|(_, layout)| is_next(layout)) {
            break;
        }
        row *= size;
        axes = axis;
    }
    let shape = Shape::from([&first.shape()[..axes], &[row / 2]].concat());
    let halved = |(operand, layout): &(&Operand, Layout)| {
        let strides = &layout.strides()[..axes];
        let is_whole =
            row % 2 == 0 && layout.offset() % 2 == 0 && strides.iter().all(|stride| stride % 2 == 0);
        if !is_whole || !operand.is_contiguous() {
            return refuse(format_args!(
                "{} has elements of half a byte, which are moved as rows of whole bytes of a contiguous tensor",
                operand.name
            ));
        }
        let mut strides: SmallVec<[isize; 8]> = mapped(strides, |stride| stride / 2);
        strides.push(1);
        layout_of(Layout::new(&shape, &strides, layout.offset() / 2))
    };
    Ok([halved(&parts[0])?, halved(&parts[1])?])
}

/// One element of `dtype`, converted by the rules for scalars. Two elements of half a byte are one here, and must be 0.
pub(super) fn element(from: DType, value: &[u8], dtype: DType) -> Result<SmallVec<[u8; 16]>> {
    if dtype.bits() < 8 {
        return match value.iter().all(|byte| *byte == 0) {
            true => Ok(smallvec![0]),
            false => refuse(format_args!("a tensor of {dtype} is filled with 0 only")),
        };
    }
    let convert = scalar_converter(from, dtype).ok_or_else(|| {
        Status::new(
            ACLNN_ERR_INNER_NULLPTR,
            format_args!("there is no kernel that converts {from} to {dtype}"),
        )
    })?;
    let mut element = smallvec![0; size_of_dtype(dtype)];
    convert(value, &mut element);
    Ok(element)
}

pub(super) fn dtype(operand: &Operand) -> Result<DType> {
    operand.known_dtype().ok_or_else(|| {
        Status::new(ACLNN_ERR_INNER_NULLPTR, format_args!("{} has no type that is known", operand.name))
    })
}

fn view(operand: &Operand, dtype: DType, layout: &Layout) -> Result<cann_kernels::View> {
    operand.view_of(dtype, layout.shape(), layout.strides(), layout.offset() as i64)
}
