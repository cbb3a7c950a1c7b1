//! A case: one call of an operator, as data.

use std::ffi::CString;
use std::fmt;

use aclnn_numerics::DType;
use aclnn_sys::operators::OperatorInfo;

/// How the operands of a case are shaped, or lie in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Class {
    /// One element after the other.
    Contiguous,
    /// Operands of different shapes; a view that repeats its first axis where an operator does not broadcast.
    Broadcast,
    /// From the fourth element of the storage on, two elements apart.
    Strided,
    /// The axes in reverse order in memory.
    Transposed,
    /// The result in the place of an operand.
    InPlace,
    /// An axis without elements.
    Empty,
    /// No axes.
    NoAxes,
    /// Eight axes.
    EightAxes,
}

impl Class {
    pub(crate) const ALL: [Class; 8] = [
        Class::Contiguous,
        Class::Broadcast,
        Class::Strided,
        Class::Transposed,
        Class::InPlace,
        Class::Empty,
        Class::NoAxes,
        Class::EightAxes,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Class::Contiguous => "contiguous",
            Class::Broadcast => "broadcast",
            Class::Strided => "strided",
            Class::Transposed => "transposed",
            Class::InPlace => "in-place",
            Class::Empty => "empty",
            Class::NoAxes => "0-d",
            Class::EightAxes => "rank-8",
        }
    }

    /// The sizes of an operand that may have any.
    pub(crate) fn dims(self) -> Vec<i64> {
        match self {
            Class::Empty => vec![0, 9],
            Class::NoAxes => vec![],
            Class::EightAxes => vec![1, 2, 1, 3, 1, 2, 1, 3],
            _ => vec![4, 9],
        }
    }

    /// How the tensors lie in memory.
    pub(crate) fn layout(self) -> Layout {
        match self {
            Class::Strided => Layout::Gaps,
            Class::Transposed => Layout::Reversed,
            _ => Layout::Contiguous,
        }
    }
}

/// Which case it is; prints as what `--filter` takes to run it alone.
#[derive(Debug, Clone)]
pub(crate) struct Id {
    pub(crate) info: &'static OperatorInfo,
    /// The types of the tensors and scalars that are computed, in the order of the parameters.
    pub(crate) types: Vec<DType>,
    pub(crate) class: Class,
    /// What tells cases with the same types and class apart.
    pub(crate) variant: String,
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let types: Vec<&str> = self.types.iter().map(|dtype| dtype.short_name()).collect();
        write!(f, "{}/{}/{}", self.info.name(), types.join(","), self.class.name())?;
        if self.variant.is_empty() { Ok(()) } else { write!(f, "/{}", self.variant) }
    }
}

/// An argument of a call.
#[derive(Debug, Clone)]
pub(crate) enum Argument {
    Tensor(Tensor),
    /// The same tensor as an argument before, by its number.
    Same(usize),
    Tensors(Vec<Tensor>),
    Scalar(DType, Vec<u8>),
    Scalars(Vec<(DType, Vec<u8>)>),
    Ints(Vec<i64>),
    Floats(Vec<f32>),
    Bools(Vec<bool>),
    DType(DType),
    Int(i64),
    Float(f64),
    Bool(bool),
    Text(CString),
    Null,
}

/// What a call does with a tensor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Read,
    Written,
    ReadAndWritten,
    /// Made large enough for any result: the call sets its sizes.
    Sized,
}

/// A tensor, and how it lies in memory.
#[derive(Debug, Clone)]
pub(crate) struct Tensor {
    pub(crate) role: Role,
    pub(crate) dtype: DType,
    pub(crate) dims: Vec<i64>,
    pub(crate) strides: Vec<i64>,
    pub(crate) offset: i64,
    /// How many elements its storage has.
    pub(crate) stored: usize,
    /// Its elements in row-major order; none if it is only written.
    pub(crate) elements: Vec<u8>,
}

/// How a tensor lies in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    Contiguous,
    Gaps,
    Reversed,
    /// The first axis with several elements holds one, which is repeated.
    Repeated,
}

/// Elements before the first one and behind the last, of a tensor with gaps.
const AROUND: i64 = 3;

impl Tensor {
    pub(crate) fn new(role: Role, dtype: DType, dims: &[i64], layout: Layout, elements: Vec<u8>) -> Self {
        let rank = dims.len();
        let (gap, around) = if layout == Layout::Gaps { (2, AROUND) } else { (1, 0) };
        let mut strides = vec![0; rank];
        let mut stride = gap;
        let repeated = dims.iter().position(|size| *size > 1).filter(|_| layout == Layout::Repeated);
        for step in 0..rank {
            let axis = if layout == Layout::Reversed { step } else { rank - 1 - step };
            if repeated == Some(axis) {
                continue;
            }
            strides[axis] = stride;
            stride *= dims[axis].max(1);
        }
        let last: i64 = dims.iter().zip(&strides).map(|(size, stride)| (size - 1).max(0) * stride).sum();
        let stored = if dims.contains(&0) { 2 * around } else { 2 * around + last + 1 };
        Self { role, dtype, dims: dims.to_vec(), strides, offset: around, stored: stored as usize, elements }
    }

    pub(crate) fn size(&self) -> usize {
        self.dtype.bits() / 8
    }

    pub(crate) fn count(&self) -> usize {
        self.dims.iter().product::<i64>() as usize
    }

    /// The elements of the storage, in row-major order of the tensor.
    pub(crate) fn offsets(&self) -> Vec<usize> {
        let mut offsets = vec![self.offset];
        for (&size, &stride) in self.dims.iter().zip(&self.strides) {
            offsets =
                offsets.iter().flat_map(|first| (0..size).map(move |step| first + step * stride)).collect();
        }
        offsets.into_iter().map(|offset| offset as usize).collect()
    }

    /// The bytes of the storage before the call: a pattern where there are no elements to read.
    pub(crate) fn storage(&self) -> Vec<u8> {
        let size = self.size();
        let mut storage = vec![UNTOUCHED; self.stored * size];
        for (element, offset) in self.elements.chunks_exact(size).zip(self.offsets()) {
            storage[offset * size..][..size].copy_from_slice(element);
        }
        storage
    }
}

/// A byte that no result leaves in a gap by accident.
pub(crate) const UNTOUCHED: u8 = 0xA5;

/// Prints an argument for people: type, shape and layout of a tensor.
impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Argument::Tensor(tensor) => tensor.fmt(f),
            Argument::Same(number) => write!(f, "argument {number} again"),
            Argument::Tensors(list) => {
                f.write_str("[")?;
                for (index, tensor) in list.iter().enumerate() {
                    write!(f, "{}{tensor}", if index == 0 { "" } else { ", " })?;
                }
                f.write_str("]")
            }
            Argument::Scalar(dtype, bytes) => write!(f, "{dtype} {}", super::elements::show(*dtype, bytes)),
            Argument::Scalars(list) => {
                let shown = |(dtype, bytes): &(DType, Vec<u8>)| {
                    format!("{dtype} {}", super::elements::show(*dtype, bytes))
                };
                write!(f, "[{}]", list.iter().map(shown).collect::<Vec<_>>().join(", "))
            }
            Argument::Ints(values) => write!(f, "{values:?}"),
            Argument::Bools(values) => write!(f, "{values:?}"),
            Argument::Floats(values) => write!(f, "{values:?}"),
            Argument::DType(dtype) => dtype.fmt(f),
            Argument::Int(value) => value.fmt(f),
            Argument::Float(value) => value.fmt(f),
            Argument::Bool(value) => value.fmt(f),
            Argument::Text(text) => write!(f, "{text:?}"),
            Argument::Null => f.write_str("null"),
        }
    }
}

impl fmt::Display for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:?}", self.dtype, self.dims)?;
        let plain = Tensor::new(self.role, self.dtype, &self.dims, Layout::Contiguous, Vec::new());
        if (&plain.strides, plain.offset) != (&self.strides, self.offset) {
            write!(f, " with strides {:?} from element {}", self.strides, self.offset)?;
        }
        match self.role {
            Role::Read => Ok(()),
            Role::Written => f.write_str(", written"),
            Role::ReadAndWritten => f.write_str(", in place"),
            Role::Sized => f.write_str(", sized by the call"),
        }
    }
}
