//! Arguments of a call: recorded when they are added, and described to the library only where it needs them.

use std::cell::Cell;
use std::ffi::{CStr, c_void};
use std::sync::Arc;

use aclnn_numerics::Layout;
use aclnn_sys::{aclDataType, operators};
use smallvec::SmallVec;

use super::parameter::Plain;
use crate::device_core::DeviceCore;
use crate::error::{Operands, Result};
use crate::executor::{Described, Descriptor, Descriptors, Form, Key, Kind};
use crate::scalar::Scalar;
use crate::tensor::{Tensor, refused};

/// The arguments of a call, in the order of the operator's parameters.
#[derive(Default)]
pub(super) struct Arguments<'a>(SmallVec<[(&'static str, Argument<'a>); 6]>);

pub(super) enum Argument<'a> {
    Tensor {
        tensor: &'a Tensor,
        writes: bool,
    },
    Tensors {
        tensors: Vec<&'a Tensor>,
        writes: bool,
    },
    Scalar(Scalar, aclDataType),
    Scalars(Vec<(Scalar, aclDataType)>),
    Ints(&'a [i64]),
    Floats(&'a [f32]),
    Bools(&'a [bool]),
    /// A null pointer, where that says something.
    Null,
    Text(&'a CStr),
    /// A text that the operator may write to: the operator gets a copy.
    TextMut(&'a CStr),
    DType(aclDataType),
    Plain(Plain),
}

impl<'a> Arguments<'a> {
    /// Records the argument that `make` returns. It is made in its place, since a copy of what was just made is
    /// slow to load.
    #[inline]
    pub(super) fn note(&mut self, name: &'static str, make: impl FnOnce() -> Argument<'a>) {
        self.0.reserve(1);
        let count = self.0.len();
        // SAFETY: there is room for one more, which is complete before it counts.
        unsafe {
            self.0.as_mut_ptr().add(count).write((name, make()));
            self.0.set_len(count + 1);
        }
    }

    /// Returns the addresses of the tensors, and whether they are written, if there are no lists.
    #[inline]
    pub(super) fn addresses(&self) -> impl Iterator<Item = (*mut c_void, bool)> + Clone {
        self.addressed().map(|(tensor, writes)| (tensor.as_raw(), writes))
    }

    /// Returns the tensors, and whether they are written, if there are no lists: calls with lists have no
    /// [key](Self::key).
    #[inline]
    pub(super) fn addressed(&self) -> impl Iterator<Item = (&'a Tensor, bool)> + Clone {
        self.0.iter().filter_map(|(_, argument)| match argument {
            Argument::Tensor { tensor, writes } => Some((*tensor, *writes)),
            _ => None,
        })
    }

    /// Calls `visit` with each tensor, and whether it is written.
    #[inline]
    pub(super) fn each_tensor(&self, mut visit: impl FnMut(&'a Tensor, bool)) {
        for (_, argument) in &self.0 {
            match argument {
                Argument::Tensor { tensor, writes } => visit(tensor, *writes),
                Argument::Tensors { tensors, writes } => {
                    tensors.iter().for_each(|tensor| visit(tensor, *writes));
                }
                _ => {}
            }
        }
    }

    /// Returns the tensors with their names, and whether they are written.
    pub(super) fn tensors(&self) -> impl Iterator<Item = (&'static str, &'a Tensor, bool)> {
        self.0.iter().flat_map(|(name, argument)| {
            let (one, several, writes) = match argument {
                Argument::Tensor { tensor, writes } => (Some(*tensor), &[][..], *writes),
                Argument::Tensors { tensors, writes } => (None, &tensors[..], *writes),
                _ => (None, &[][..], false),
            };
            one.into_iter().chain(several.iter().copied()).map(move |tensor| (*name, tensor, writes))
        })
    }

    /// Returns the numbers of the arguments that are written, if there are no lists.
    pub(super) fn outputs(&self) -> impl Iterator<Item = usize> {
        let arguments = self.0.iter().enumerate();
        arguments.filter_map(|(index, (_, argument))| match argument {
            Argument::Tensor { writes: true, .. } => Some(index),
            _ => None,
        })
    }

    pub(super) fn describe(&self, core: &Arc<DeviceCore>) -> Result<Descriptors> {
        let tensor = |tensor: &&Tensor| described(core, tensor);
        let scalar = |(scalar, dtype): &(Scalar, _)| Descriptor::scalar(core, scalar, *dtype);
        let describe = |(_, argument): &(_, Argument<'_>)| {
            let described = match argument {
                Argument::Tensor { tensor: described, .. } => tensor(described),
                Argument::Tensors { tensors, .. } => {
                    let tensors = tensors.iter().map(tensor).collect::<Result<_>>();
                    tensors.and_then(|tensors| Descriptor::tensors(core, tensors))
                }
                Argument::Scalar(value, dtype) => Descriptor::scalar(core, value, *dtype),
                Argument::Scalars(scalars) => {
                    let scalars = scalars.iter().map(scalar).collect::<Result<_>>();
                    scalars.and_then(|scalars| Descriptor::scalars(core, scalars))
                }
                Argument::Ints(values) => Descriptor::ints(core, values),
                Argument::Floats(values) => Descriptor::floats(core, values),
                Argument::Bools(values) => Descriptor::bools(core, values),
                Argument::TextMut(text) => {
                    let copy = text.to_bytes_with_nul().iter().map(|&byte| Cell::new(byte)).collect();
                    return Ok(Some(Described::Text(copy)));
                }
                Argument::Null | Argument::Text(_) | Argument::DType(_) | Argument::Plain(_) => {
                    return Ok(None);
                }
            };
            described.map(|descriptor| Some(Described::Object(descriptor)))
        };
        self.0.iter().map(describe).collect::<Result<_>>().map(Descriptors)
    }

    /// Returns what phase one gets, after everything is described.
    pub(super) fn pass(&self, descriptors: &Descriptors) -> SmallVec<[operators::Argument; 16]> {
        let pass = |(index, (_, argument)): (usize, &(_, Argument<'_>))| {
            let pointer = descriptors.get(index);
            match argument {
                Argument::Tensor { .. } => operators::Argument::Tensor(pointer.cast()),
                Argument::Tensors { .. } => operators::Argument::Tensors(pointer.cast()),
                Argument::Scalar(..) => operators::Argument::Scalar(pointer.cast()),
                Argument::Scalars(_) => operators::Argument::Scalars(pointer.cast()),
                Argument::Ints(_) => operators::Argument::Ints(pointer.cast()),
                Argument::Floats(_) => operators::Argument::Floats(pointer.cast()),
                Argument::Bools(_) => operators::Argument::Bools(pointer.cast()),
                Argument::Text(text) => operators::Argument::Text(text.as_ptr().cast_mut()),
                Argument::TextMut(_) => operators::Argument::Text(pointer.cast()),
                Argument::DType(dtype) => operators::Argument::DType(*dtype),
                Argument::Plain(Plain::Int(value)) => operators::Argument::Int(*value),
                Argument::Plain(Plain::Float(value)) => operators::Argument::Float(*value),
                Argument::Plain(Plain::Bool(value)) => operators::Argument::Bool(*value),
                Argument::Null => operators::Argument::Null,
            }
        };
        self.0.iter().enumerate().map(pass).collect()
    }

    /// Returns the first argument that shares the buffer of argument number `index`: calls whose arguments share memory may
    /// be planned differently.
    #[inline]
    fn first(&self, index: usize, tensor: &Tensor) -> usize {
        let earlier = self.0.iter().take(index).position(|(_, other)| {
            matches!(other, Argument::Tensor { tensor: other, .. } if other.shares_buffer_with(tensor))
        });
        earlier.unwrap_or(index)
    }

    /// Returns whether the arguments have these forms.
    pub(super) fn are(&self, forms: &[Form<Layout>]) -> bool {
        let mut arguments = self.0.iter().zip(forms).enumerate();
        self.0.len() == forms.len()
            && arguments.all(|(index, ((_, argument), form))| self.is(index, argument, form))
    }

    /// Returns whether the tensors lie at `addresses`, if the arguments have these forms and a stream, whose executors are
    /// locked, is entrusted with all tensors.
    #[inline]
    pub(super) fn are_entrusted(
        &self,
        forms: &[Form<Layout>],
        mut addresses: impl Iterator<Item = *mut c_void>,
        stream: u64,
    ) -> Option<bool> {
        if self.0.len() != forms.len() {
            return None;
        }
        let mut are_there = true;
        for (index, ((_, argument), form)) in self.0.iter().zip(forms).enumerate() {
            if !self.is(index, argument, form) {
                return None;
            }
            if let Argument::Tensor { tensor, writes } = argument {
                if !tensor.buffer().is_entrusted_to(stream, *writes) {
                    return None;
                }
                are_there &= addresses.next() == Some(tensor.as_raw());
            }
        }
        Some(are_there)
    }

    /// Returns whether an argument has a form.
    #[inline]
    fn is(&self, index: usize, argument: &Argument<'_>, form: &Form<Layout>) -> bool {
        match (argument, form) {
            (Argument::Tensor { tensor, .. }, Form::Tensor { dtype, layout, capacity, first }) => {
                (tensor.dtype(), tensor.capacity()) == (*dtype, *capacity)
                    && is_same(tensor.layout(), layout)
                    && self.first(index, tensor) == *first
            }
            (Argument::Scalar(scalar, dtype), Form::Scalar(other, bytes)) => {
                dtype == other && words(scalar) == *bytes
            }
            (Argument::DType(dtype), Form::Plain(other)) => dtype.0 as u64 == *other,
            (Argument::Plain(plain), Form::Plain(other)) => plain.bits() == *other,
            (Argument::Null, Form::Null) => true,
            _ => false,
        }
    }

    /// Returns the key of calls of a kind with such arguments. Returns `None` for lists of tensors, whose addresses are not
    /// replaced, for texts that the caller owns, and for long arrays.
    #[inline]
    pub(super) fn key(&self, kind: Kind) -> Option<Key<'a>> {
        let mut key = Key::of(kind);
        for (index, (_, argument)) in self.0.iter().enumerate() {
            key.add(match argument {
                Argument::Tensor { tensor, .. } => {
                    let first = self.first(index, tensor);
                    let (dtype, layout, capacity) = (tensor.dtype(), tensor.layout(), tensor.capacity());
                    Form::Tensor { dtype, layout, capacity, first }
                }
                Argument::Scalar(scalar, dtype) => Form::Scalar(*dtype, words(scalar)),
                Argument::DType(dtype) => Form::Plain(dtype.0 as u64),
                Argument::Plain(plain) => Form::Plain(plain.bits()),
                Argument::Null => Form::Null,
                // The library copies arrays, and the executor keeps the copies.
                Argument::Ints(values) => {
                    add_array(&mut key, values.iter().map(|value| *value as u64))?;
                    continue;
                }
                Argument::Floats(values) => {
                    add_array(&mut key, values.iter().map(|value| value.to_bits().into()))?;
                    continue;
                }
                Argument::Bools(values) => {
                    add_array(&mut key, values.iter().map(|value| u64::from(*value)))?;
                    continue;
                }
                Argument::TextMut(text) => {
                    add_array(&mut key, text.to_bytes().iter().map(|byte| u64::from(*byte)))?;
                    continue;
                }
                Argument::Tensors { .. } | Argument::Scalars(_) | Argument::Text(_) => return None,
            });
        }
        Some(key)
    }

    pub(super) fn info(&self) -> Operands {
        let scalars = self.0.iter().flat_map(|(name, argument)| {
            let scalars = match argument {
                Argument::Scalar(scalar, _) => vec![scalar.info(name)],
                Argument::Scalars(scalars) => scalars.iter().map(|(scalar, _)| scalar.info(name)).collect(),
                _ => Vec::new(),
            };
            scalars.into_iter()
        });
        Operands::new(self.tensors().map(|(name, tensor, _)| tensor.info(name)).chain(scalars))
    }
}

/// The longest array in a key: more would cost more than it saves.
const LONGEST: usize = 32;

/// Adds the forms of an array: its values two by two, each pair with the length.
fn add_array(key: &mut Key<'_>, mut values: impl ExactSizeIterator<Item = u64>) -> Option<()> {
    let length = aclDataType(i32::try_from(values.len()).ok()?);
    if values.len() > LONGEST {
        return None;
    }
    loop {
        let pair = [values.next().unwrap_or(0), values.next().unwrap_or(0)];
        key.add(Form::Scalar(length, pair));
        if values.len() == 0 {
            return Some(());
        }
    }
}

/// Returns the bytes of a scalar, filled up with zeros.
#[inline]
fn words(scalar: &Scalar) -> [u64; 2] {
    bytemuck::cast(scalar.value().to_bytes())
}

/// Returns whether two layouts are equal. Most have few axes, for which loops are faster than comparing memory.
#[inline]
fn is_same(a: &Layout, b: &Layout) -> bool {
    fn are_same<T: PartialEq>(a: &[T], b: &[T]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b)
    }
    a.offset() == b.offset() && are_same(a.shape(), b.shape()) && are_same(a.strides(), b.strides())
}

/// Describes a tensor to the library.
fn described(core: &Arc<DeviceCore>, tensor: &Tensor) -> Result<Descriptor> {
    let (layout, refuse) = (tensor.layout(), |reason| refused(tensor.shape(), tensor.dtype(), reason));
    let dtype = tensor.dtype().acl_code().map(aclDataType);
    let dtype = dtype.ok_or_else(|| refuse("CANN has no tensors of this type; cast it first"))?;
    if tensor.dtype().bits() < 8 && (!tensor.is_contiguous() || layout.offset() > 0) {
        return Err(refuse(
            "the library takes elements of less than a byte only as a contiguous tensor; copy it first",
        ));
    }
    Descriptor::tensor(core, dtype, layout, tensor.capacity(), tensor.as_raw())
}

impl Plain {
    /// Returns the number as it stands in a key.
    fn bits(self) -> u64 {
        match self {
            Self::Int(value) => value as u64,
            Self::Float(value) => value.to_bits(),
            Self::Bool(value) => value.into(),
        }
    }
}
