//! Formats: the order in which the elements of a tensor lie in memory.
//!
//! In a plain format they lie in the order of its axes. In a private one, axes are cut into blocks: an index is the number of a
//! block and the place in it. Blocks are whole, and zeros fill the last ones. A cast copies elements from one order to the
//! other, bit by bit: all blocks that are full at once, and the rest of each axis.

use aclnn_numerics::DType;
use aclnn_numerics::product::Product;
use aclnn_numerics::types_by_product::TypeSet;
use aclnn_sys::{
    ACL_FORMAT_FRACTAL_NZ, ACL_FORMAT_FRACTAL_Z, ACL_FORMAT_HWCN, ACL_FORMAT_NC1HWC0, ACL_FORMAT_NCDHW,
    ACL_FORMAT_NCHW, ACL_FORMAT_NCL, ACL_FORMAT_ND, ACL_FORMAT_NDC1HWC0, ACL_FORMAT_NDHWC, ACL_FORMAT_NHWC,
    ACL_FRACTAL_Z_3D, ACLNN_ERR_PARAM_INVALID, ACLNN_ERR_RUNTIME_ERROR, aclDataType, aclFormat, aclTensor,
};
use cann_kernels::LaneFunction;
use smallvec::SmallVec;

use super::axes::{invalid, output_of};
use super::blocks::bits_of;
use super::call::{Call, Operand, Plan};
use super::conversions::through;
use super::phases::alone;
use super::plan_builder::{PlanBuilder, read_lanes, written_lanes};
use super::{check, signatures};
use crate::entry::{Handle, Out};
use crate::mapped::mapped;
use crate::meta::tensor::{hand_out, resolve};
use crate::settings;
use crate::status::{Result, Status};

/// Rows of a block of a matrix, and of a block of filters.
const ROWS: usize = 16;

/// Returns whether the elements of a format lie in blocks.
pub(super) fn is_private(format: aclFormat) -> bool {
    [ACL_FORMAT_NC1HWC0, ACL_FORMAT_FRACTAL_Z, ACL_FORMAT_FRACTAL_NZ, ACL_FORMAT_NDC1HWC0, ACL_FRACTAL_Z_3D]
        .contains(&format)
}

/// An axis of a tensor, and where its indices lead in both formats.
#[derive(Clone, Copy)]
struct Axis {
    size: usize,
    /// From one index to the next in the plain format.
    plain: usize,
    /// Indices of a block in the private format; all of them if the axis is not cut.
    block: usize,
    /// From one block to the next, and from one index of it to the next.
    strides: [usize; 2],
}

/// The axes of a tensor in two formats, and its sizes in the private one.
pub(super) struct Layout {
    axes: Vec<Axis>,
    pub(super) sizes: Vec<usize>,
}

/// The letters of the axes of a plain format; shorter shapes lack the first and the last ones.
fn letters(format: aclFormat) -> Option<&'static str> {
    Some(match format {
        ACL_FORMAT_NCHW | ACL_FORMAT_ND | ACL_FORMAT_NCL => "NCHW",
        ACL_FORMAT_NHWC => "NHWC",
        ACL_FORMAT_HWCN => "HWCN",
        ACL_FORMAT_NCDHW => "NCDHW",
        ACL_FORMAT_NDHWC => "NDHWC",
        _ => return None,
    })
}

/// The products of the sizes behind each one.
fn behind(sizes: &[usize]) -> Option<Vec<usize>> {
    let mut strides = vec![1_usize; sizes.len()];
    for axis in (1..sizes.len()).rev() {
        strides[axis - 1] = strides[axis].checked_mul(sizes[axis].max(1))?;
    }
    let all =
        strides.first().copied().unwrap_or(1).checked_mul(sizes.first().copied().unwrap_or(1).max(1))?;
    isize::try_from(all).ok().map(|_| strides)
}

impl Layout {
    /// The layout of a tensor of plain sizes in a private format, in blocks of so many channels or columns.
    pub(super) fn of(private: aclFormat, plain: aclFormat, dims: &[usize], block: usize) -> Result<Self> {
        let none = || -> Status {
            let message =
                format!("a tensor of format {} and sizes {dims:?} has no format {}", plain.0, private.0);
            Status::new(ACLNN_ERR_PARAM_INVALID, message)
        };
        if ![1, 2, 4, 8, 16, 32, 64].contains(&block) {
            return Err(none());
        }
        let layout = match private {
            ACL_FORMAT_FRACTAL_NZ => Self::matrices(dims, block),
            _ => Self::channels(private, plain, dims, block),
        };
        layout.ok_or_else(none)
    }

    fn matrices(dims: &[usize], block: usize) -> Option<Self> {
        let dims: SmallVec<[usize; 8]> = match dims {
            [] => SmallVec::from_slice(&[1, 1]),
            [rows] => SmallVec::from_slice(&[*rows, 1]),
            dims => SmallVec::from_slice(dims),
        };
        let (outer, matrix) = dims.split_at(dims.len() - 2);
        let plain = behind(&dims)?;
        let cut = [matrix[1].div_ceil(block), matrix[0].div_ceil(ROWS), ROWS, block];
        let sizes = [outer, &cut].concat();
        let stored = behind(&sizes)?;
        let whole = |axis: usize| Axis {
            size: dims[axis],
            plain: plain[axis],
            block: usize::MAX,
            strides: [0, stored[axis]],
        };
        let mut axes: Vec<Axis> = (0..outer.len()).map(whole).collect();
        let (across, down) = (stored[outer.len()], stored[outer.len() + 1]);
        axes.push(Axis { size: matrix[0], plain: plain[outer.len()], block: ROWS, strides: [down, block] });
        axes.push(Axis { size: matrix[1], plain: plain[outer.len() + 1], block, strides: [across, 1] });
        Some(Self { axes, sizes })
    }

    fn channels(private: aclFormat, plain: aclFormat, dims: &[usize], block: usize) -> Option<Self> {
        let is_volume = [ACL_FORMAT_NDC1HWC0, ACL_FRACTAL_Z_3D].contains(&private);
        let letters = match plain {
            ACL_FORMAT_ND if is_volume => "NCDHW",
            plain => letters(plain)?,
        };
        // Shapes with fewer axes begin with the channels.
        let skipped = match letters.len().checked_sub(dims.len())? {
            0 => 0,
            _ if letters == "NCHW" => 1,
            _ => return None,
        };
        let strides = behind(dims)?;
        let axis = |letter: char| {
            let place = letters.find(letter).and_then(|place| place.checked_sub(skipped));
            let found = place.and_then(|place| Some((*dims.get(place)?, *strides.get(place)?)));
            found.unwrap_or((1, 1))
        };
        let (n, c, d, h, w) = (axis('N'), axis('C'), axis('D'), axis('H'), axis('W'));
        let is_filter = [ACL_FORMAT_FRACTAL_Z, ACL_FRACTAL_Z_3D].contains(&private);
        if is_volume != (letters.len() == 5) {
            return None;
        }
        let (blocks, filters) = (c.0.div_ceil(block), n.0.div_ceil(ROWS));
        let sizes = match (is_filter, is_volume) {
            (true, _) => {
                vec![d.0.checked_mul(blocks)?.checked_mul(h.0)?.checked_mul(w.0)?, filters, ROWS, block]
            }
            (false, false) => vec![n.0, blocks, h.0, w.0, block],
            (false, true) => vec![n.0, d.0, blocks, h.0, w.0, block],
        };
        let whole = |(size, plain): (usize, usize), stride: usize| Axis {
            size,
            plain,
            block: usize::MAX,
            strides: [0, stride],
        };
        let inner = if is_filter { behind(&[1, filters, ROWS, block])?[0] } else { block };
        // The axes of places, from the last one on.
        let all = behind(&[n.0, d.0, blocks, h.0, w.0, inner])?;
        let channels = Axis { size: c.0, plain: c.1, block, strides: [all[2], 1] };
        let first = match is_filter {
            true => Axis { size: n.0, plain: n.1, block: ROWS, strides: [ROWS * block, block] },
            false => whole(n, all[0]),
        };
        let axes = vec![first, whole(d, all[1]), channels, whole(h, all[3]), whole(w, all[4])];
        Some(Self { axes, sizes })
    }

    /// The elements in the private format.
    pub(super) fn numel(&self) -> Option<usize> {
        self.sizes.iter().try_fold(1_usize, |count, size| count.checked_mul(*size))
    }

    /// Elements in the plain format.
    fn plain_numel(&self) -> Option<usize> {
        self.axes.iter().try_fold(1_usize, |count, axis| count.checked_mul(axis.size))
    }

    /// Copies all elements from one format to the other; `to_private` says to which.
    pub(super) fn cast(&self, own: &Operand, out: &Operand, to_private: bool) -> Result<Plan> {
        let size = own.known_dtype().map_or(0, |dtype| dtype.bits());
        let Some(dtype) = bits_of(size / 8).filter(|_| size.is_multiple_of(8)) else {
            return check::not_emulated("formats of elements that are not of one, two, four or eight bytes");
        };
        let (plain, private) = if to_private { (own, out) } else { (out, own) };
        let stored = private
            .storage()
            .iter()
            .try_fold(1_usize, |count, size| count.checked_mul(usize::try_from(*size).ok()?));
        for (operand, has, wanted) in
            [(plain, plain.shape()?.numel(), self.plain_numel()), (private, stored, self.numel())]
        {
            if has.is_none() || has != wanted {
                return invalid(format_args!(
                    "{} has another number of elements in memory than its format, which has {}",
                    operand.name,
                    wanted.map_or_else(|| "too many".to_owned(), |wanted| wanted.to_string())
                ));
            }
        }
        if self.plain_numel() == Some(0) {
            return Ok(Plan::empty());
        }
        let mut builder = PlanBuilder::new();
        let is_padded = self.numel() != self.plain_numel();
        if to_private && is_padded {
            let numel = self.numel().unwrap_or(0);
            let all = builder.write_stored(out, dtype, out.stored_view(dtype, &[numel], &[1], 0)?, true)?;
            builder.fill(all, &[numel], &[0; 8][..size / 8]);
        }
        for part in self.parts() {
            let plain = (&part.plain, part.firsts[0]);
            let private = (&part.private, part.firsts[1]);
            let [from, to] = if to_private { [plain, private] } else { [private, plain] };
            let from = builder.read_stored(own, own.stored_view(dtype, &part.sizes, from.0, from.1)?, true);
            let to =
                builder.write_stored(out, dtype, out.stored_view(dtype, &part.sizes, to.0, to.1)?, true)?;
            builder.copy(from, to, &part.sizes, through(&[dtype, dtype])?);
        }
        Ok(builder.plan(0))
    }

    /// Parts whose elements lie at even distances in both formats: full blocks and the rest of each axis.
    fn parts(&self) -> Vec<Part> {
        let mut parts = vec![Part::default()];
        for axis in &self.axes {
            let (full, rest) = (axis.size / axis.block, axis.size % axis.block);
            let mut next = Vec::new();
            for part in &parts {
                if full > 0 {
                    let mut part = part.clone();
                    part.add(full, axis.plain * axis.block, axis.strides[0]);
                    part.add(axis.block, axis.plain, axis.strides[1]);
                    next.push(part);
                }
                if rest > 0 {
                    let mut part = part.clone();
                    part.firsts[0] += (full * axis.block * axis.plain) as i64;
                    part.firsts[1] += (full * axis.strides[0]) as i64;
                    part.add(rest, axis.plain, axis.strides[1]);
                    next.push(part);
                }
            }
            parts = next;
        }
        parts
    }
}

/// A copy of all that lies in memory, in whatever format.
pub(super) fn copied(own: &Operand, out: &Operand) -> Result<Plan> {
    let size = own.known_dtype().map_or(0, |dtype| dtype.bits());
    let mut sizes = own.storage().iter().map(|size| usize::try_from(*size).ok());
    let numel = sizes.try_fold(1_usize, |count, size| count.checked_mul(size?));
    let (Some(dtype), Some(numel)) = (bits_of(size / 8), numel) else {
        return invalid("there is no copy of such elements");
    };
    let mut builder = PlanBuilder::new();
    let from = builder.read_stored(own, own.stored_view(dtype, &[numel], &[1], 0)?, true);
    let to = builder.write_stored(out, dtype, out.stored_view(dtype, &[numel], &[1], 0)?, true)?;
    builder.carry(from, to, &[numel], through(&[dtype, dtype])?);
    Ok(builder.plan(0))
}

/// Elements at even distances, which both formats have.
#[derive(Clone, Default)]
struct Part {
    sizes: SmallVec<[usize; 8]>,
    plain: SmallVec<[isize; 8]>,
    private: SmallVec<[isize; 8]>,
    /// The first element in the plain and in the private format.
    firsts: [i64; 2],
}

impl Part {
    fn add(&mut self, size: usize, plain: usize, private: usize) {
        self.sizes.push(size);
        self.plain.push(plain as isize);
        self.private.push(private as isize);
    }
}

/// Columns or channels of a block of elements of a type: 32 bytes.
fn block_of(dtype: DType) -> usize {
    32 * 8 / dtype.bits().max(8)
}

/// The formats that are cast to each other: which of them is private.
fn pair(from: aclFormat, to: aclFormat) -> Option<bool> {
    let is_pair = |plain: aclFormat, private: aclFormat| match private {
        ACL_FORMAT_FRACTAL_NZ => {
            [ACL_FORMAT_ND, ACL_FORMAT_NCL, ACL_FORMAT_NCHW, ACL_FORMAT_NCDHW].contains(&plain)
        }
        ACL_FORMAT_NC1HWC0 => [ACL_FORMAT_NCHW, ACL_FORMAT_NHWC].contains(&plain),
        ACL_FORMAT_FRACTAL_Z => [ACL_FORMAT_NCHW, ACL_FORMAT_HWCN].contains(&plain),
        ACL_FORMAT_NDC1HWC0 => [ACL_FORMAT_NCDHW, ACL_FORMAT_NDHWC].contains(&plain),
        ACL_FRACTAL_Z_3D => plain == ACL_FORMAT_NCDHW,
        _ => false,
    };
    match (is_pair(from, to), is_pair(to, from)) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

/// Which products cast formats.
fn casts() -> bool {
    matches!(settings::get().product, Product::Ascend910B | Product::Ascend950)
}

/// A cast from one format to another: that of the destination is the other format of the pair.
pub(super) fn npu_format_cast(call: &Call<'_>) -> Result<Plan> {
    let tensors = (call.tensor("srcTensor"), call.tensor("dstTensor"));
    let own = tensors.0.map_err(check::null_is_internal)?;
    let out = tensors.1.map_err(check::null_is_internal)?;
    let takes = signatures::npu_format_cast.takes;
    let dtype = check::dtype(&own, takes)?;
    let to = check::dtype(&out, takes)?;
    if !own.is_contiguous() || !out.is_contiguous() {
        return invalid("srcTensor and dstTensor must be contiguous");
    }
    let Some(to_private) = pair(own.format(), out.format()) else {
        return invalid(format_args!("format {} is not cast to {}", own.format().0, out.format().0));
    };
    if dtype != to {
        return check::unlaunched(format_args!("dstTensor is {to}, but srcTensor is {dtype}"));
    }
    let (private, plain) = if to_private { (&out, &own) } else { (&own, &out) };
    // A program may describe the storage by the number of its elements.
    let block = match private.storage() {
        [.., _, size] => usize::try_from(*size).unwrap_or(0),
        _ => private.shape()?.last().copied().unwrap_or(0),
    };
    Layout::of(private.format(), plain.format(), plain.shape()?, block)?.cast(&own, &out, to_private)
}

/// Codes of four bits in a byte.
const HELD: usize = 2;

/// Integers in the lower halves and the upper halves of bytes, in their order or in blocks of FRACTAL_NZ.
pub(super) fn convert_weight_to_int4_pack(call: &Call<'_>) -> Result<Plan> {
    let (weight, packed) = (call.tensor("weight")?, call.tensor("weightInt4Pack")?);
    let signature = &signatures::convert_weight_to_int4_pack;
    let own = check::dtype(&weight, signature.takes)?;
    if own == DType::F32 {
        return check::not_emulated("weights of floats of four bits");
    }
    let to = output_of(signature.output, own, own, &packed)?;
    let shape = weight.shape()?;
    let (Some(columns), 2..=3) = (shape.last().copied(), shape.rank()) else {
        return invalid(format_args!("weight has {} axes, but must have 2 or 3", shape.rank()));
    };
    if !weight.is_contiguous() || !packed.is_contiguous() {
        return invalid("weight and weightInt4Pack must be contiguous");
    }
    if weight.format() != ACL_FORMAT_ND {
        return invalid(format_args!("weight has format {}, but must have ND", weight.format().0));
    }
    // i32 holds eight codes.
    let (held, multiple) = if to == DType::I4 { (1, HELD) } else { (8, 8) };
    if columns % multiple != 0 {
        return invalid(format_args!(
            "weight has {columns} columns, but must have a multiple of {multiple} beside a weightInt4Pack of {to}"
        ));
    }
    let outer = &shape[..shape.rank() - 1];
    check::output_shape(&packed, &[outer, &[columns / held]].concat())?;
    let Some(count) = shape.numel() else {
        return invalid(format_args!("weight has shape {shape}, which no memory holds"));
    };
    if count == 0 {
        return Ok(Plan::empty());
    }
    let rows = shape[shape.rank() - 2];
    let is_blocked = packed.format() == ACL_FORMAT_FRACTAL_NZ;
    if is_private(packed.format()) && !is_blocked {
        return invalid(format_args!("weightInt4Pack has format {}", packed.format().0));
    }
    // The columns of a block are those of its storage, of which each product has its own.
    let last = packed.storage().last().and_then(|size| usize::try_from(*size).ok()).unwrap_or(0);
    let wide = last.saturating_mul(held);
    let product = settings::get().product;
    let suits = if product == Product::Ascend950 { matches!(wide, 16 | 32) } else { wide == 64 };
    let blocks = is_blocked.then(|| Blocks {
        columns: wide.max(HELD),
        across: columns.div_ceil(wide.max(HELD)),
        down: rows.next_multiple_of(ROWS),
    });
    let total = match &blocks {
        Some(Blocks { columns: wide, across, down }) => {
            let sizes = [count / (rows * columns), *across, *down, wide / HELD];
            let total = sizes.iter().try_fold(1_usize, |all, size| all.checked_mul(*size));
            let mut stored = packed.storage().iter().map(|size| usize::try_from(*size).ok());
            let stored = stored.try_fold(to.bits(), |bits, size| bits.checked_mul(size?));
            match total.filter(|total| suits && total.checked_mul(8) == stored) {
                Some(total) => total,
                None => {
                    return invalid(format_args!(
                        "weightInt4Pack has a storage of {:?}, which is none of blocks for {rows} rows of {columns} columns",
                        packed.storage()
                    ));
                }
            }
        }
        None => count / HELD,
    };
    let mut builder = PlanBuilder::new();
    let from = builder.read_stored(&weight, weight.stored_view(own, &[count], &[1], 0)?, true);
    let Some(bits) = packed.offset().checked_mul(to.bits() as i64) else {
        return invalid(format_args!("weightInt4Pack begins behind {} elements", packed.offset()));
    };
    let first = bits / 8 - packed.offset();
    let view = packed.stored_view(DType::U8, &[total], &[1], first)?;
    let bytes = builder.write_stored(&packed, DType::U8, view, true)?;
    let inputs = [(from, read_lanes(count, own, own)?)];
    let outputs = [(bytes, written_lanes(total, DType::U8, DType::U8)?)];
    builder.lanes(inputs, outputs, 1, nibbles(columns, rows, blocks));
    Ok(builder.plan(0))
}

/// Blocks of codes: the columns of each, and how many blocks and rows there are beside and below each other.
struct Blocks {
    columns: usize,
    across: usize,
    down: usize,
}

/// The codes of matrices of integers, which have so many rows: one row after the other, or in blocks.
fn nibbles(columns: usize, rows: usize, blocks: Option<Blocks>) -> LaneFunction {
    let len = blocks.as_ref().map_or(columns, |blocks| blocks.columns);
    LaneFunction::new("pack", move |_, inputs, outputs| {
        let ([numbers], [bytes]) = (inputs, outputs) else { return Ok(()) };
        let numbers: &[i32] = bytemuck::cast_slice(numbers);
        bytes.fill(0);
        for (row, numbers) in numbers.chunks(columns).enumerate() {
            for (number, part) in numbers.chunks(len).enumerate() {
                let line = match &blocks {
                    Some(Blocks { across, down, .. }) => (row / rows * across + number) * down + row % rows,
                    None => row,
                };
                let to = bytes.iter_mut().skip(line * len / HELD);
                for (byte, pair) in to.zip(part.chunks(HELD)) {
                    let half = |place: usize| pair.get(place).map_or(0, |number| *number as u8);
                    let (low, high) = (half(0), half(1));
                    *byte = low & 0xF | high << 4;
                }
            }
        }
        Ok(())
    })
}

/// Types of which only the sizes are told on every product.
const SIZED: TypeSet = TypeSet::of(&[DType::F8E4M3FN, DType::F4E2M1, DType::F4E1M2, DType::HiF8]);

/// The sizes and the format of the destination of a cast.
fn size_and_format(
    tensor: Handle<*const aclTensor>,
    format: i32,
    additional: i32,
    shape: Out<*mut i64>,
    count: Out<u64>,
    actual: Out<i32>,
) -> Result {
    let wrong = |message: String| Status::new(ACLNN_ERR_PARAM_INVALID, message);
    if !casts() {
        return Err(wrong("this product does not cast formats".to_owned()));
    }
    let tensor = resolve(&tensor, "srcTensor").map_err(|why| why.with_code(ACLNN_ERR_PARAM_INVALID))?;
    let description = &tensor.description;
    let takes = check::types(signatures::npu_format_cast.takes).union(SIZED);
    let dtype = description.known_dtype().filter(|dtype| takes.contains(*dtype));
    let dtype = dtype.ok_or_else(|| wrong("srcTensor has a type whose format is not cast".to_owned()))?;
    let additional = match additional {
        -1 => Some(dtype),
        other => DType::from_acl_code(aclDataType(other).0),
    };
    let additional = additional.ok_or_else(|| wrong("additionalDtype is no type".to_owned()))?;
    let unpaired = |message: String| Status::new(ACLNN_ERR_RUNTIME_ERROR, message);
    let (from, to) = (description.format, aclFormat(format));
    let dims =
        description.shape().ok_or_else(|| wrong("srcTensor has a size that is negative".to_owned()))?;
    let Some(to_private) = pair(from, to) else {
        return Err(unpaired(format!("format {} is not cast to {format}", from.0)));
    };
    let is_image = [ACL_FORMAT_NCHW, ACL_FORMAT_NCDHW].contains(&from);
    if to == ACL_FORMAT_FRACTAL_NZ && is_image && additional != dtype {
        return Err(unpaired(format!("format {} is not cast to {format}", from.0)));
    }
    if dims.is_empty_tensor() {
        return Err(unpaired("srcTensor has no elements".to_owned()));
    }
    let is_channels = [from, to].iter().all(|format| *format != ACL_FORMAT_FRACTAL_NZ);
    if !to_private && is_channels && ![4, 5].contains(&dims.rank()) {
        return Err(unpaired(format!("srcTensor has {} axes, but must have 4 or 5", dims.rank())));
    }
    let sizes: Vec<i64> = match to_private {
        true => {
            let layout = Layout::of(to, from, &dims, block_of(additional))?;
            mapped(&layout.sizes, |size| *size as i64)
        }
        false if from == ACL_FORMAT_NC1HWC0 && to == ACL_FORMAT_NHWC => {
            [0, 3, 1, 2].iter().filter_map(|axis| description.dims().get(*axis).copied()).collect()
        }
        false => description.dims().to_vec(),
    };
    let null = ACLNN_ERR_PARAM_INVALID;
    let (shape, count) = (shape.required("dstShape", null)?, count.required("dstShapeSize", null)?);
    let actual = actual.required("actualFormat", null)?;
    shape.write(hand_out(&sizes)?);
    count.write(sizes.len() as u64);
    actual.write(format);
    Ok(())
}

alone! {
    fn size_of_cast = "aclnnNpuFormatCastCalculateSizeAndFormat" (
        tensor: Handle<*const aclTensor>, format: i32, additional: i32, shape: Out<*mut i64>, count: Out<u64>,
        actual: Out<i32>
    ) by size_and_format;
}
