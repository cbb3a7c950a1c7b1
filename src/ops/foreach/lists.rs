//! The lists of a call, checked before anything is launched.

use aclnn_numerics::DType;
use aclnn_numerics::types_by_product::Types;

use crate::argument_checks::Operation;
use crate::error::Result;
use crate::scalar::Scalar;
use crate::stream::Stream;
use crate::tensor::{Overlap, Tensor};

/// Lists of tensors of one type, of which the first is written.
pub(super) struct Lists<'a> {
    name: &'static str,
    pub(super) own: &'a [&'a mut Tensor],
    others: &'a [&'a [&'a Tensor]],
    pub(super) stream: &'a Stream,
    pub(super) dtype: DType,
}

impl<'a> Lists<'a> {
    /// Checks lists of one length; `None` if there are no tensors.
    #[inline]
    pub(super) fn checked(
        (name, form): (&'static str, &'static str),
        takes: Types,
        own: &'a [&'a mut Tensor],
        others: &'a [&'a [&'a Tensor]],
    ) -> Result<Option<Self>> {
        let lists = Self::one_length(name, own, others)?;
        let Some(lists) = lists else { return Ok(None) };
        for index in 0..own.len() {
            let operation = lists.at(index);
            operation.placed()?;
            let Some(tensor) = own.get(index) else { continue };
            operation.takes(form, takes, tensor.dtype())?;
            if tensor.dtype() != lists.dtype {
                return Err(operation.refused(lists.mixed(index)));
            }
            operation.writable("own", tensor, tensor.shape())?;
            for other in lists.others_at(index) {
                if other.dtype() != lists.dtype {
                    return Err(operation.refused(lists.mixed(index)));
                }
                if other.shape() != tensor.shape() {
                    let reason = format!("the tensors at {index} of the lists must have one shape");
                    return Err(operation.refused(reason));
                }
            }
        }
        lists.lie_apart()?;
        Ok(Some(lists))
    }

    /// Checks the lengths alone.
    #[inline]
    fn one_length(
        name: &'static str,
        own: &'a [&'a mut Tensor],
        others: &'a [&'a [&'a Tensor]],
    ) -> Result<Option<Self>> {
        let all =
            own.iter().map(|tensor| &**tensor).chain(others.iter().flat_map(|other| other.iter().copied()));
        let Some(any) = all.into_iter().next() else { return Ok(None) };
        let lists = Self { name, own, others, stream: any.stream(), dtype: any.dtype() };
        if let Some(other) = others.iter().find(|other| other.len() != own.len()) {
            let reason =
                format!("the lists have {} and {} tensors; they must have as many", own.len(), other.len());
            return Err(lists.at(0).refused(reason));
        }
        Ok(Some(lists))
    }

    #[inline]
    fn mixed(&self, index: usize) -> String {
        format!("the tensors at {index} are not all {}, as the first one of the lists is", self.dtype)
    }

    #[inline]
    fn others_at(&self, index: usize) -> impl Iterator<Item = &'a Tensor> {
        self.others.iter().filter_map(move |other| other.get(index).copied())
    }

    /// The operation on the tensors at one place of the lists.
    #[inline]
    pub(super) fn at(&self, index: usize) -> Operation<'_> {
        let mut operation = Operation::new(self.name, self.stream);
        if let Some(own) = self.own.get(index) {
            operation = operation.tensor("own", own);
        }
        let names = ["other", "second", "third"];
        for (name, other) in names.into_iter().zip(self.others_at(index)) {
            operation = operation.tensor(name, other);
        }
        operation
    }

    /// The tensors of the first list, as they are read.
    #[inline]
    pub(super) fn read(&self) -> Vec<&'a Tensor> {
        self.own.iter().map(|tensor| &**tensor).collect()
    }

    /// A number as the library takes it beside the tensors.
    #[inline]
    pub(super) fn number(&self, number: Scalar) -> Result<Scalar> {
        let to = if self.dtype.is_float() { DType::F64 } else { DType::I64 };
        let fits = !number.dtype().is_complex() && (self.dtype.is_float() || !number.dtype().is_float());
        let operation = || self.at(0).scalar("number", number);
        number.to(to).filter(|_| fits).ok_or_else(|| {
            operation().bad_scalar(format!("{number} is no number beside tensors of {}", self.dtype))
        })
    }

    /// Numbers for each tensor, as the library takes them.
    #[inline]
    pub(super) fn numbers(&self, numbers: &[Scalar]) -> Result<Vec<Scalar>> {
        if numbers.len() != self.own.len() {
            let reason = format!("there are {} numbers for {} tensors", numbers.len(), self.own.len());
            return Err(self.at(0).refused(reason));
        }
        let to = if self.dtype.is_float() { DType::F32 } else { DType::I64 };
        numbers.iter().map(|number| Ok(self.number(*number)?.to(to).unwrap_or(*number))).collect()
    }

    /// Refuses a tensor that is written where another place of the lists reads or writes it: what it holds afterwards would
    /// depend on the order in which a device takes the tensors.
    #[inline]
    fn lie_apart(&self) -> Result<()> {
        let written =
            self.own.iter().map(|tensor| &**tensor).enumerate().map(|(index, tensor)| (true, index, tensor));
        let read = self.others.iter().flat_map(|other| other.iter().enumerate());
        let read = read.map(|(index, tensor)| (false, index, *tensor));
        let mut spans: Vec<_> = written
            .chain(read)
            .filter_map(|(is_written, index, tensor)| {
                let (low, high) = tensor.layout().span()?;
                let (base, bits) = (tensor.as_raw().addr(), tensor.dtype().bits());
                let at =
                    |element: isize| base.saturating_add(element.unsigned_abs().saturating_mul(bits) / 8);
                Some((at(low), at(high.saturating_add(1)), is_written, index, tensor))
            })
            .collect();
        spans.sort_unstable_by_key(|(begin, ..)| *begin);
        for (number, (_, end, is_written, index, tensor)) in spans.iter().enumerate() {
            let behind = spans.iter().skip(number + 1).take_while(|(begin, ..)| begin < end);
            for (_, _, is_other_written, other_index, other) in behind {
                let allows_same = index == other_index && is_written != is_other_written;
                let is_fine = match tensor.overlap(other) {
                    Overlap::None => true,
                    Overlap::Same => allows_same,
                    Overlap::Partial => false,
                };
                if (*is_written || *is_other_written) && !is_fine {
                    let reason = format!(
                        "the tensors at {index} and {other_index} share memory, and one of them is written; what it \
                         holds afterwards would depend on the order of the device"
                    );
                    return Err(self.at(*index).refused(reason));
                }
            }
        }
        Ok(())
    }
}
