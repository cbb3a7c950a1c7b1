//! Collectives that combine the elements of all ranks.

use aclnn_numerics::Shape;
use aclnn_sys::HcclDataType;

use super::communicator::Communicator;
use super::elements::{ReduceOp, combined};
use super::work::{Target, address, source};
use crate::acl::Collective;
use crate::argument_checks::Operation;
use crate::error::Result;
use crate::tensor::Tensor;

#[inline]
fn dtype(operation: &Operation<'_>, tensor: &Tensor, op: ReduceOp) -> Result<HcclDataType> {
    combined(tensor.dtype(), op).map_err(|reason| operation.refused(reason))
}

impl Communicator {
    /// Returns a new tensor, on each rank, with the elements of all ranks combined. All give tensors of one shape and type.
    ///
    /// Queued on the stream of `x`, like everything else.
    ///
    /// ```
    /// # if std::env::var_os("CANN_STUBS_DEVICES").is_none() {
    /// #     // SAFETY: no other thread of this program runs yet.
    /// #     unsafe { std::env::set_var("CANN_STUBS_DEVICES", "2") };
    /// # }
    /// use aclnn::collective::{Communicator, ReduceOp};
    /// use aclnn::{Device, Tensor};
    ///
    /// let group = Communicator::init_all(&Device::all()?)?;
    /// let mut results = Vec::new();
    /// for communicator in &group {
    ///     let x = Tensor::from_slice(communicator.device(), &[communicator.rank() as f32, 2.0], [2])?;
    ///     results.push(communicator.all_reduce(&x, ReduceOp::Max)?);
    /// }
    /// let last = group.len() as f32 - 1.0;
    /// for result in &results {
    ///     assert_eq!(result.to_vec::<f32>()?, [last, 2.0]);
    /// }
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) for a type that is not combined, and [`Devices`](crate::Error::Devices), before
    /// anything is queued; [`GroupFailed`](crate::Error::GroupFailed), [`StreamFailed`](crate::Error::StreamFailed),
    /// [`OutOfMemory`](crate::Error::OutOfMemory); [`Collective`](crate::Error::Collective) if the library refuses.
    #[doc(alias = "HcclAllReduce")]
    #[inline]
    pub fn all_reduce(&self, x: &Tensor, op: ReduceOp) -> Result<Tensor> {
        let operation = Operation::new("all_reduce", self.stream_of(x)).tensor("x", x);
        self.check_placed(&operation)?;
        dtype(&operation, x, op)?;
        let out = operation.empty(x.shape(), x.dtype())?;
        self.all_reduce_to(&operation, x, &out, op)?;
        Ok(out)
    }

    /// Combines the elements of all ranks as [`Communicator::all_reduce`] does, in a tensor of the same shape and type.
    ///
    /// # Errors
    /// Those of [`Communicator::all_reduce`], and [`OutputShape`](crate::Error::OutputShape),
    /// [`Overlap`](crate::Error::Overlap) and [`SharedElements`](crate::Error::SharedElements), before anything is queued.
    #[doc(alias = "HcclAllReduce")]
    #[inline]
    pub fn all_reduce_into(&self, x: &Tensor, out: &mut Tensor, op: ReduceOp) -> Result<()> {
        let operation = Operation::new("all_reduce", self.stream_of(x)).tensor("x", x).tensor("out", out);
        self.check_placed(&operation)?;
        dtype(&operation, x, op)?;
        let target = Target::new(&operation, "out", out, x.shape(), x.dtype())?;
        self.all_reduce_to(&operation, x, target.tensor(), op)?;
        target.finish(&operation)
    }

    /// Replaces the elements of a tensor by those of all ranks combined, as [`Communicator::all_reduce`] does.
    ///
    /// # Errors
    /// Those of [`Communicator::all_reduce_into`].
    #[doc(alias = "HcclAllReduce")]
    #[inline]
    pub fn all_reduce_in_place(&self, x: &mut Tensor, op: ReduceOp) -> Result<()> {
        let operation = Operation::new("all_reduce_in_place", self.stream_of(x)).tensor("x", x);
        self.check_placed(&operation)?;
        dtype(&operation, x, op)?;
        let target = Target::with_elements(&operation, "x", x)?;
        self.all_reduce_to(&operation, target.tensor(), target.tensor(), op)?;
        target.finish(&operation)
    }

    #[inline]
    fn all_reduce_to(&self, operation: &Operation<'_>, x: &Tensor, out: &Tensor, op: ReduceOp) -> Result<()> {
        let (code, x) = (dtype(operation, x, op)?, source(operation, x)?);
        let (send, receive, count) = (address(&x), address(out), x.numel() as u64);
        let collective = Collective::AllReduce { send, receive, count, dtype: code, op: op.code() };
        // SAFETY: both are contiguous, of one type and shape.
        unsafe { self.queue(operation, &[(&x, false), (out, true)], Some(collective), None) }
    }

    /// Returns a new tensor on rank `root` with the elements of all ranks combined, and `None` on the others. All give tensors
    /// of one shape and type.
    ///
    /// # Errors
    /// Those of [`Communicator::all_reduce`], and [`Argument`](crate::Error::Argument) if there is no such rank.
    #[doc(alias = "HcclReduce")]
    #[inline]
    pub fn reduce(&self, x: &Tensor, op: ReduceOp, root: usize) -> Result<Option<Tensor>> {
        let operation = Operation::new("reduce", self.stream_of(x)).tensor("x", x);
        self.check_reduce(&operation, x, op, root)?;
        let out = operation.empty(x.shape(), x.dtype())?;
        self.reduce_to(&operation, x, &out, op, root)?;
        Ok((self.rank() == root).then_some(out))
    }

    /// Combines the elements of all ranks as [`Communicator::reduce`] does, in a tensor of the same shape and type, which rank
    /// `root` gives. What others give stays as it is.
    ///
    /// # Errors
    /// Those of [`Communicator::reduce`] and [`Communicator::all_reduce_into`]; [`Argument`](crate::Error::Argument) if the
    /// root gives no tensor.
    #[doc(alias = "HcclReduce")]
    #[inline]
    pub fn reduce_into(&self, x: &Tensor, out: Option<&mut Tensor>, op: ReduceOp, root: usize) -> Result<()> {
        let operation = Operation::new("reduce", self.stream_of(x)).tensor("x", x);
        match out.filter(|_| self.rank() == root) {
            Some(out) => {
                let operation = operation.tensor("out", out);
                self.check_reduce(&operation, x, op, root)?;
                let target = Target::new(&operation, "out", out, x.shape(), x.dtype())?;
                self.reduce_to(&operation, x, target.tensor(), op, root)?;
                target.finish(&operation)
            }
            None if self.rank() == root => {
                Err(operation.refused("this rank is the root, and gives no tensor for the result".to_owned()))
            }
            None => {
                self.check_reduce(&operation, x, op, root)?;
                let unused = operation.empty(x.shape(), x.dtype())?;
                self.reduce_to(&operation, x, &unused, op, root)
            }
        }
    }

    /// Replaces the elements of the tensor of rank `root` by those of all ranks combined, as [`Communicator::reduce`] does.
    /// Those of the others stay as they are.
    ///
    /// # Errors
    /// Those of [`Communicator::reduce`] and [`Communicator::all_reduce_into`].
    #[doc(alias = "HcclReduce")]
    #[inline]
    pub fn reduce_in_place(&self, x: &mut Tensor, op: ReduceOp, root: usize) -> Result<()> {
        let operation = Operation::new("reduce_in_place", self.stream_of(x)).tensor("x", x);
        self.check_reduce(&operation, x, op, root)?;
        if self.rank() != root {
            let unused = operation.empty(x.shape(), x.dtype())?;
            return self.reduce_to(&operation, x, &unused, op, root);
        }
        let target = Target::with_elements(&operation, "x", x)?;
        self.reduce_to(&operation, target.tensor(), target.tensor(), op, root)?;
        target.finish(&operation)
    }

    #[inline]
    fn check_reduce(&self, operation: &Operation<'_>, x: &Tensor, op: ReduceOp, root: usize) -> Result<()> {
        self.check_placed(operation)?;
        self.check_rank(operation, "the root", root)?;
        dtype(operation, x, op).map(drop)
    }

    /// `out` has room for the result on every rank: whether the library writes it on others than the root is not known.
    #[inline]
    fn reduce_to(
        &self,
        operation: &Operation<'_>,
        x: &Tensor,
        out: &Tensor,
        op: ReduceOp,
        root: usize,
    ) -> Result<()> {
        let root = self.check_rank(operation, "the root", root)?;
        let (code, x) = (dtype(operation, x, op)?, source(operation, x)?);
        let (send, receive, count) = (address(&x), address(out), x.numel() as u64);
        let collective = Collective::Reduce { send, receive, count, dtype: code, op: op.code(), root };
        // SAFETY: both are contiguous, of one type and shape.
        unsafe { self.queue(operation, &[(&x, false), (out, true)], Some(collective), None) }
    }

    /// Returns a new tensor, on each rank, with its part of the elements of all ranks combined: the first axis is divided into
    /// as many equal parts as there are ranks. All give tensors of one shape and type.
    ///
    /// ```
    /// # if std::env::var_os("CANN_STUBS_DEVICES").is_none() {
    /// #     // SAFETY: no other thread of this program runs yet.
    /// #     unsafe { std::env::set_var("CANN_STUBS_DEVICES", "2") };
    /// # }
    /// use aclnn::collective::{Communicator, ReduceOp};
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let group = Communicator::init_all(&Device::all()?)?;
    /// let mut parts = Vec::new();
    /// for communicator in &group {
    ///     let x = Tensor::ones(communicator.device(), [3 * group.len(), 2], DType::F32)?;
    ///     parts.push(communicator.reduce_scatter(&x, ReduceOp::Sum)?);
    /// }
    /// for part in &parts {
    ///     assert_eq!(part.dims(), [3, 2]);
    ///     assert_eq!(part.to_vec::<f32>()?, [group.len() as f32; 6]);
    /// }
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Communicator::all_reduce`], and [`Argument`](crate::Error::Argument) if the first axis has no such parts.
    #[doc(alias = "HcclReduceScatter")]
    #[inline]
    pub fn reduce_scatter(&self, x: &Tensor, op: ReduceOp) -> Result<Tensor> {
        let operation = Operation::new("reduce_scatter", self.stream_of(x)).tensor("x", x);
        self.check_placed(&operation)?;
        dtype(&operation, x, op)?;
        let out = operation.empty(self.part_of(&operation, x)?, x.dtype())?;
        self.reduce_scatter_to(&operation, x, &out, op)?;
        Ok(out)
    }

    /// Combines the elements of all ranks as [`Communicator::reduce_scatter`] does, in a tensor of the shape of a part.
    ///
    /// # Errors
    /// Those of [`Communicator::reduce_scatter`] and [`Communicator::all_reduce_into`].
    #[doc(alias = "HcclReduceScatter")]
    #[inline]
    pub fn reduce_scatter_into(&self, x: &Tensor, out: &mut Tensor, op: ReduceOp) -> Result<()> {
        let operation = Operation::new("reduce_scatter", self.stream_of(x)).tensor("x", x).tensor("out", out);
        self.check_placed(&operation)?;
        dtype(&operation, x, op)?;
        let shape = self.part_of(&operation, x)?;
        let target = Target::new(&operation, "out", out, &shape, x.dtype())?;
        self.reduce_scatter_to(&operation, x, target.tensor(), op)?;
        target.finish(&operation)
    }

    #[inline]
    fn reduce_scatter_to(
        &self,
        operation: &Operation<'_>,
        x: &Tensor,
        out: &Tensor,
        op: ReduceOp,
    ) -> Result<()> {
        let (code, x) = (dtype(operation, x, op)?, source(operation, x)?);
        let (send, receive, count) = (address(&x), address(out), out.numel() as u64);
        let collective = Collective::ReduceScatter { send, receive, count, dtype: code, op: op.code() };
        // SAFETY: both are contiguous and of one type, and the output is a part of as many as there are ranks.
        unsafe { self.queue(operation, &[(&x, false), (out, true)], Some(collective), None) }
    }

    /// Returns the shape of the part of each rank.
    #[inline]
    pub(super) fn part_of(&self, operation: &Operation<'_>, x: &Tensor) -> Result<Shape> {
        let ranks = self.size();
        let divided = x.dims().split_first().filter(|(first, _)| first.is_multiple_of(ranks));
        let (first, others) = divided.ok_or_else(|| {
            operation.refused(format!(
                "the first axis of x must have equal parts for {ranks} ranks, but its shape is {}; pad or reshape it",
                x.shape()
            ))
        })?;
        Ok([first / ranks].iter().chain(others).copied().collect())
    }
}
