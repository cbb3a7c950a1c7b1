//! Collectives whose parts have lengths of their own, counted along the first axis.

use aclnn_numerics::Shape;

use super::communicator::Communicator;
use super::elements::{ReduceOp, combined};
use super::work::{address, count_moved, source};
use crate::acl::{Collective, Spread};
use crate::argument_checks::Operation;
use crate::error::Result;
use crate::tensor::Tensor;

impl Communicator {
    /// Returns a new tensor, on each rank, with a part from each, one after the other. The first `send[0]` rows of `x` go to
    /// rank 0, the next `send[1]` to rank 1; `receive[r]` rows come from rank `r`, which must send as many. Rows are along the
    /// first axis, and all ranks give tensors of one type, with rows of one shape.
    ///
    /// ```
    /// # if std::env::var_os("CANN_STUBS_DEVICES").is_none() {
    /// #     // SAFETY: no other thread of this program runs yet.
    /// #     unsafe { std::env::set_var("CANN_STUBS_DEVICES", "2") };
    /// # }
    /// use aclnn::{Device, Tensor, collective::Communicator};
    ///
    /// let devices = &Device::all()?[..2];
    /// let group = Communicator::init_all(devices)?;
    /// let a = Tensor::from_slice(&devices[0], &[1, 2, 3], [3])?;
    /// let b = Tensor::from_slice(&devices[1], &[4], [1])?;
    /// let a = group[0].all_to_all_parts(&a, &[1, 2], &[1, 0])?;
    /// let b = group[1].all_to_all_parts(&b, &[0, 1], &[2, 1])?;
    /// assert_eq!((a.to_vec::<i32>()?, b.to_vec::<i32>()?), (vec![1], vec![2, 3, 4]));
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Communicator::broadcast`], and [`Argument`](crate::Error::Argument) if there are not as many lengths as ranks,
    /// or `x` has another number of rows; [`MissingSymbol`](crate::Error::MissingSymbol) where the library lacks the function.
    /// Ranks whose lengths do not fit fail later, as for every collective.
    #[doc(alias = "HcclAlltoAllV")]
    #[inline]
    pub fn all_to_all_parts(&self, x: &Tensor, send: &[usize], receive: &[usize]) -> Result<Tensor> {
        let operation = Operation::new("all_to_all_parts", self.stream_of(x)).tensor("x", x);
        self.check_placed(&operation)?;
        let row = row_of(&operation, x, send)?;
        let (sent, received) = (self.spread(&operation, x, send)?, self.spread(&operation, x, receive)?);
        let out = operation.empty(with_rows(receive, &row), x.dtype())?;
        let (_, dtype) = count_moved(&operation, x.dtype(), x.numel())?;
        let x = source(&operation, x)?;
        let collective = Collective::AllToAllV {
            send: address(&x),
            sent: &sent,
            receive: address(&out),
            received: &received,
            dtype,
        };
        // SAFETY: both are contiguous and of one type, and each has as many elements as its parts.
        unsafe { self.queue(&operation, &[(&x, false), (&out, true)], Some(collective), None) }?;
        Ok(out)
    }

    /// Returns a new tensor, on each rank, with the rows of all ranks one after the other, in the order of the ranks: rank `r`
    /// gives `lengths[r]` rows along the first axis. All give the same lengths, and tensors of one type, with rows of one
    /// shape.
    ///
    /// # Errors
    /// Those of [`Communicator::all_to_all_parts`].
    #[doc(alias = "HcclAllGatherV")]
    #[inline]
    pub fn all_gather_parts(&self, x: &Tensor, lengths: &[usize]) -> Result<Tensor> {
        let operation = Operation::new("all_gather_parts", self.stream_of(x)).tensor("x", x);
        self.check_placed(&operation)?;
        let own = lengths.get(self.rank()).map(std::slice::from_ref).unwrap_or_default();
        let row = row_of(&operation, x, own)?;
        let received = self.spread(&operation, x, lengths)?;
        let out = operation.empty(with_rows(lengths, &row), x.dtype())?;
        let (count, dtype) = count_moved(&operation, x.dtype(), x.numel())?;
        let x = source(&operation, x)?;
        let (send, receive) = (address(&x), address(&out));
        let collective = Collective::AllGatherV { send, count, receive, received: &received, dtype };
        // SAFETY: both are contiguous and of one type, and the output has as many elements as all parts.
        unsafe { self.queue(&operation, &[(&x, false), (&out, true)], Some(collective), None) }?;
        Ok(out)
    }

    /// Returns a new tensor, on each rank, with its part of the elements of all ranks combined: `lengths[r]` rows along the
    /// first axis are those of rank `r`. All give the same lengths, and tensors of one shape and type.
    ///
    /// # Errors
    /// Those of [`Communicator::all_to_all_parts`] and [`Communicator::all_reduce`].
    #[doc(alias = "HcclReduceScatterV")]
    #[inline]
    pub fn reduce_scatter_parts(&self, x: &Tensor, lengths: &[usize], op: ReduceOp) -> Result<Tensor> {
        let operation = Operation::new("reduce_scatter_parts", self.stream_of(x)).tensor("x", x);
        self.check_placed(&operation)?;
        let dtype = combined(x.dtype(), op).map_err(|reason| operation.refused(reason))?;
        let row = row_of(&operation, x, lengths)?;
        let sent = self.spread(&operation, x, lengths)?;
        let own = lengths.get(self.rank()).map(std::slice::from_ref).unwrap_or_default();
        let out = operation.empty(with_rows(own, &row), x.dtype())?;
        let x = source(&operation, x)?;
        let (send, receive, count) = (address(&x), address(&out), out.numel() as u64);
        let collective =
            Collective::ReduceScatterV { send, sent: &sent, receive, count, dtype, op: op.code() };
        // SAFETY: both are contiguous and of one type, and each has as many elements as its parts.
        unsafe { self.queue(&operation, &[(&x, false), (&out, true)], Some(collective), None) }?;
        Ok(out)
    }

    /// The elements of each part of rows as those of `x`, and where they begin.
    #[inline]
    fn spread(&self, operation: &Operation<'_>, x: &Tensor, lengths: &[usize]) -> Result<Spread> {
        if lengths.len() != self.size() {
            let (given, ranks) = (lengths.len(), self.size());
            return Err(operation.refused(format!(
                "there are {given} lengths of parts, but the group has {ranks} ranks; give one for each"
            )));
        }
        let row = x.dims().iter().skip(1).product::<usize>();
        let mut spread = Spread::default();
        let mut end = 0;
        for length in lengths {
            let count = length.checked_mul(row).ok_or_else(|| {
                operation.refused(format!("a part of {length} rows has more elements than can be counted"))
            })?;
            let (count, _) = count_moved(operation, x.dtype(), count)?;
            spread.counts.push(count);
            spread.begins.push(end);
            end = end.saturating_add(count);
        }
        Ok(spread)
    }
}

/// The shape of a row of a tensor that has as many as all parts together.
#[inline]
fn row_of(operation: &Operation<'_>, x: &Tensor, lengths: &[usize]) -> Result<Vec<usize>> {
    let all = lengths.iter().fold(0_usize, |all, length| all.saturating_add(*length));
    match x.dims().split_first() {
        Some((rows, row)) if *rows == all => Ok(row.to_vec()),
        _ => Err(operation.refused(format!(
            "the parts {lengths:?} have {all} rows together, but x has shape {}",
            x.shape()
        ))),
    }
}

#[inline]
fn with_rows(lengths: &[usize], row: &[usize]) -> Shape {
    let all = lengths.iter().fold(0_usize, |all, length| all.saturating_add(*length));
    [all].iter().chain(row).copied().collect()
}
