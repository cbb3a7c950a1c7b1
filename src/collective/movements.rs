//! Collectives that move elements between ranks.

use aclnn_numerics::Shape;

use super::communicator::Communicator;
use super::parts::Parts;
use super::work::{Target, address, apart_from, count_moved, source};
use crate::acl::Collective;
use crate::argument_checks::Operation;
use crate::error::Result;
use crate::tensor::Tensor;

impl Communicator {
    /// Returns a new tensor, on each rank, with the elements that rank `root` gives. All give tensors of one shape and type;
    /// those of the others are not read.
    ///
    /// ```
    /// # if std::env::var_os("CANN_STUBS_DEVICES").is_none() {
    /// #     // SAFETY: no other thread of this program runs yet.
    /// #     unsafe { std::env::set_var("CANN_STUBS_DEVICES", "2") };
    /// # }
    /// use aclnn::{DType, Device, Tensor, collective::Communicator};
    ///
    /// let group = Communicator::init_all(&Device::all()?)?;
    /// let mut weights = Vec::new();
    /// for communicator in &group {
    ///     let mut x = Tensor::full(communicator.device(), [3], communicator.rank() as f32, DType::F32)?;
    ///     communicator.broadcast_in_place(&mut x, 1)?;
    ///     weights.push(x);
    /// }
    /// for x in &weights {
    ///     assert_eq!(x.to_vec::<f32>()?, [1.0; 3]);
    /// }
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) if there is no such rank, or the elements do not fill whole bytes, and
    /// [`Devices`](crate::Error::Devices), before anything is queued; [`GroupFailed`](crate::Error::GroupFailed),
    /// [`StreamFailed`](crate::Error::StreamFailed), [`OutOfMemory`](crate::Error::OutOfMemory);
    /// [`Collective`](crate::Error::Collective) if the library refuses.
    #[doc(alias = "HcclBroadcast")]
    #[inline]
    pub fn broadcast(&self, x: &Tensor, root: usize) -> Result<Tensor> {
        let operation = Operation::new("broadcast", self.stream_of(x)).tensor("x", x);
        self.check_broadcast(&operation, x, root)?;
        let out = if self.rank() == root {
            x.copy_on(operation.stream).map_err(|error| operation.explain(error))?
        } else {
            operation.empty(x.shape(), x.dtype())?
        };
        self.broadcast_to(&operation, &out, root)?;
        Ok(out)
    }

    /// Replaces the elements of a tensor by those that rank `root` gives, as [`Communicator::broadcast`] does.
    ///
    /// # Errors
    /// Those of [`Communicator::broadcast`], and [`SharedElements`](crate::Error::SharedElements).
    #[doc(alias = "HcclBroadcast")]
    #[inline]
    pub fn broadcast_in_place(&self, x: &mut Tensor, root: usize) -> Result<()> {
        let operation = Operation::new("broadcast_in_place", self.stream_of(x)).tensor("x", x);
        self.check_broadcast(&operation, x, root)?;
        if self.rank() == root {
            return self.broadcast_to(&operation, &source(&operation, x)?, root);
        }
        let target = Target::new(&operation, "x", x, x.shape(), x.dtype())?;
        self.broadcast_to(&operation, target.tensor(), root)?;
        target.finish(&operation)
    }

    #[inline]
    fn check_broadcast(&self, operation: &Operation<'_>, x: &Tensor, root: usize) -> Result<()> {
        self.check_placed(operation)?;
        self.check_rank(operation, "the root", root)?;
        count_moved(operation, x.dtype(), x.numel()).map(drop)
    }

    #[inline]
    fn broadcast_to(&self, operation: &Operation<'_>, x: &Tensor, root: usize) -> Result<()> {
        let (count, dtype) = count_moved(operation, x.dtype(), x.numel())?;
        let writes = self.rank() != root;
        let root = self.check_rank(operation, "the root", root)?;
        let collective = Collective::Broadcast { buffer: address(x), count, dtype, root };
        // SAFETY: the tensor is contiguous and has as many elements.
        unsafe { self.queue(operation, &[(x, writes)], Some(collective), None) }
    }

    /// Returns a new tensor, on each rank, with the elements of all ranks one after the other, in the order of the ranks: its
    /// first axis is as many times as long as there are ranks. Tensors without axes become one with a single axis. All give
    /// tensors of one shape and type.
    ///
    /// ```
    /// # if std::env::var_os("CANN_STUBS_DEVICES").is_none() {
    /// #     // SAFETY: no other thread of this program runs yet.
    /// #     unsafe { std::env::set_var("CANN_STUBS_DEVICES", "2") };
    /// # }
    /// use aclnn::{DType, Device, Tensor, collective::Communicator};
    ///
    /// let group = Communicator::init_all(&Device::all()?)?;
    /// let mut all = Vec::new();
    /// for communicator in &group {
    ///     let x = Tensor::full(communicator.device(), [1, 2], communicator.rank() as i32, DType::I32)?;
    ///     all.push(communicator.all_gather(&x)?);
    /// }
    /// assert_eq!(all[0].dims(), [group.len(), 2]);
    /// assert_eq!(all[0].to_vec::<i32>()?[..4], [0, 0, 1, 1]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Communicator::broadcast`].
    #[doc(alias = "HcclAllGather")]
    #[inline]
    pub fn all_gather(&self, x: &Tensor) -> Result<Tensor> {
        let operation = Operation::new("all_gather", self.stream_of(x)).tensor("x", x);
        self.check_placed(&operation)?;
        count_moved(&operation, x.dtype(), x.numel())?;
        let out = operation.empty(self.gathered(x), x.dtype())?;
        self.all_gather_to(&operation, x, &out)?;
        Ok(out)
    }

    /// Collects the elements of all ranks as [`Communicator::all_gather`] does, in a tensor of the shape that it returns.
    ///
    /// # Errors
    /// Those of [`Communicator::broadcast`], and [`OutputShape`](crate::Error::OutputShape),
    /// [`Overlap`](crate::Error::Overlap) and [`SharedElements`](crate::Error::SharedElements), before anything is queued.
    #[doc(alias = "HcclAllGather")]
    #[inline]
    pub fn all_gather_into(&self, x: &Tensor, out: &mut Tensor) -> Result<()> {
        let operation = Operation::new("all_gather", self.stream_of(x)).tensor("x", x).tensor("out", out);
        self.check_placed(&operation)?;
        count_moved(&operation, x.dtype(), x.numel())?;
        let target = Target::new(&operation, "out", out, &self.gathered(x), x.dtype())?;
        self.all_gather_to(&operation, x, target.tensor())?;
        target.finish(&operation)
    }

    #[inline]
    fn gathered(&self, x: &Tensor) -> Shape {
        let (first, others) = x.dims().split_first().unwrap_or((&1, &[]));
        [first.saturating_mul(self.size())].iter().chain(others).copied().collect()
    }

    #[inline]
    fn all_gather_to(&self, operation: &Operation<'_>, x: &Tensor, out: &Tensor) -> Result<()> {
        let (count, dtype) = count_moved(operation, x.dtype(), x.numel())?;
        let x = source(operation, x)?;
        let collective = Collective::AllGather { send: address(&x), receive: address(out), count, dtype };
        // SAFETY: both are contiguous and of one type, and the output has as many parts as there are ranks.
        unsafe { self.queue(operation, &[(&x, false), (out, true)], Some(collective), None) }
    }

    /// Returns a new tensor, on each rank, with a part from each other one: the first axis is divided into as many equal parts
    /// as there are ranks, part `r` goes to rank `r`, and part `r` of the result is from rank `r`. All give tensors of one shape
    /// and type.
    ///
    /// The parts are messages of `HcclBatchSendRecv`, and the own part is a copy on the device.
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
    /// let a = Tensor::from_slice(&devices[0], &[1, 2], [2])?;
    /// let b = Tensor::from_slice(&devices[1], &[3, 4], [2])?;
    /// let (a, b) = (group[0].all_to_all(&a)?, group[1].all_to_all(&b)?);
    /// assert_eq!((a.to_vec::<i32>()?, b.to_vec::<i32>()?), (vec![1, 3], vec![2, 4]));
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Communicator::broadcast`], and [`Argument`](crate::Error::Argument) if the first axis has no such parts.
    #[doc(alias = "HcclAlltoAll", alias = "HcclBatchSendRecv")]
    #[inline]
    pub fn all_to_all(&self, x: &Tensor) -> Result<Tensor> {
        let operation = Operation::new("all_to_all", self.stream_of(x)).tensor("x", x);
        self.check_placed(&operation)?;
        self.check_parts(&operation, x)?;
        let out = operation.empty(x.shape(), x.dtype())?;
        self.all_to_all_to(&operation, x, &out)?;
        Ok(out)
    }

    /// Exchanges parts as [`Communicator::all_to_all`] does, in a tensor of the same shape and type, which may be `x` itself.
    ///
    /// # Errors
    /// Those of [`Communicator::all_to_all`] and [`Communicator::all_gather_into`].
    #[doc(alias = "HcclAlltoAll", alias = "HcclBatchSendRecv")]
    #[inline]
    pub fn all_to_all_into(&self, x: &Tensor, out: &mut Tensor) -> Result<()> {
        let operation = Operation::new("all_to_all", self.stream_of(x)).tensor("x", x).tensor("out", out);
        self.check_placed(&operation)?;
        self.check_parts(&operation, x)?;
        let target = Target::new(&operation, "out", out, x.shape(), x.dtype())?;
        self.all_to_all_to(&operation, x, target.tensor())?;
        target.finish(&operation)
    }

    /// Returns the shape of a part, if its elements can be moved.
    #[inline]
    fn check_parts(&self, operation: &Operation<'_>, x: &Tensor) -> Result<Shape> {
        let shape = self.part_of(operation, x)?;
        count_moved(operation, x.dtype(), x.numel() / self.size().max(1))?;
        Ok(shape)
    }

    #[inline]
    fn all_to_all_to(&self, operation: &Operation<'_>, x: &Tensor, out: &Tensor) -> Result<()> {
        let x = apart_from(operation, source(operation, x)?, out)?;
        let parts = Parts::of(self, operation, &x)?;
        let mut items = Vec::new();
        for rank in (0..self.size()).filter(|rank| *rank != self.rank()) {
            items.push(parts.item(true, &x, rank, rank));
            items.push(parts.item(false, out, rank, rank));
        }
        let own = parts.own(out, self.rank(), &x, self.rank());
        let collective = (!items.is_empty()).then_some(Collective::Batch(&mut items));
        // SAFETY: both are contiguous, of one type and shape, and apart from each other; each part lies in them.
        unsafe { self.queue(operation, &[(&x, false), (out, true)], collective, Some(own)) }
    }

    /// Returns a new tensor, on each rank, with its part of the tensor that rank `root` gives: the first axis is divided into as
    /// many equal parts as there are ranks. All give tensors of one shape and type; those of the others are not read.
    ///
    /// The parts are messages of `HcclBatchSendRecv`, and the own part is a copy on the device.
    ///
    /// # Errors
    /// Those of [`Communicator::all_to_all`], and [`Argument`](crate::Error::Argument) if there is no such rank.
    #[doc(alias = "HcclScatter", alias = "HcclBatchSendRecv")]
    #[inline]
    pub fn scatter(&self, x: &Tensor, root: usize) -> Result<Tensor> {
        let operation = Operation::new("scatter", self.stream_of(x)).tensor("x", x);
        self.check_placed(&operation)?;
        self.check_rank(&operation, "the root", root)?;
        let out = operation.empty(self.check_parts(&operation, x)?, x.dtype())?;
        self.scatter_to(&operation, Some(x).filter(|_| self.rank() == root), &out, root)?;
        Ok(out)
    }

    /// Distributes the parts of a tensor as [`Communicator::scatter`] does, to a tensor of the shape of a part. Rank `root` gives
    /// `x`; what others give is not looked at.
    ///
    /// # Errors
    /// Those of [`Communicator::scatter`] and [`Communicator::all_gather_into`]; [`Argument`](crate::Error::Argument) if the
    /// root gives no tensor.
    #[doc(alias = "HcclScatter", alias = "HcclBatchSendRecv")]
    #[inline]
    pub fn scatter_into(&self, x: Option<&Tensor>, out: &mut Tensor, root: usize) -> Result<()> {
        let x = x.filter(|_| self.rank() == root);
        let mut operation = Operation::new("scatter", self.stream_of(out)).tensor("out", out);
        if let Some(x) = x {
            operation = operation.tensor("x", x);
        }
        self.check_placed(&operation)?;
        self.check_rank(&operation, "the root", root)?;
        let target = match x {
            Some(x) => {
                let shape = self.check_parts(&operation, x)?;
                Target::new(&operation, "out", out, &shape, x.dtype())?
            }
            None if self.rank() == root => {
                return Err(operation.refused("this rank is the root, and gives no tensor".to_owned()));
            }
            None => {
                count_moved(&operation, out.dtype(), out.numel())?;
                Target::new(&operation, "out", out, out.shape(), out.dtype())?
            }
        };
        self.scatter_to(&operation, x, target.tensor(), root)?;
        target.finish(&operation)
    }

    /// `x` is there on the root alone.
    #[inline]
    fn scatter_to(
        &self,
        operation: &Operation<'_>,
        x: Option<&Tensor>,
        out: &Tensor,
        root: usize,
    ) -> Result<()> {
        let Some(x) = x else {
            let mut items = [Parts::whole(operation, out)?.item(false, out, 0, root)];
            // SAFETY: the tensor is contiguous and has as many elements.
            return unsafe {
                self.queue(operation, &[(out, true)], Some(Collective::Batch(&mut items)), None)
            };
        };
        let x = apart_from(operation, source(operation, x)?, out)?;
        let parts = Parts::of(self, operation, &x)?;
        let others = (0..self.size()).filter(|rank| *rank != root);
        let mut items: Vec<_> = others.map(|rank| parts.item(true, &x, rank, rank)).collect();
        let own = parts.own(out, 0, &x, root);
        let collective = (!items.is_empty()).then_some(Collective::Batch(&mut items));
        // SAFETY: both are contiguous, of one type, and apart from each other; the output is a part of the other.
        unsafe { self.queue(operation, &[(&x, false), (out, true)], collective, Some(own)) }
    }
}
