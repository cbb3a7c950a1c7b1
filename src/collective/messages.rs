//! Messages from one rank to another, and the barrier. [`batch`](super::batch) has several messages at a time.

use aclnn_numerics::{DType, Shape};

use super::communicator::Communicator;
use super::work::{Target, address, count_moved, source};
use crate::acl::Collective;
use crate::argument_checks::Operation;
use crate::error::Result;
use crate::tensor::Tensor;

impl Communicator {
    /// Queues that the elements of a tensor are sent to rank `to`, which receives them with [`Communicator::recv`] or
    /// [`Communicator::recv_into`].
    ///
    /// Two ranks that both send to each other, and then receive, wait for each other for ever: use a
    /// [batch](Communicator::batch), or let one of them receive first.
    ///
    /// ```
    /// # if std::env::var_os("CANN_STUBS_DEVICES").is_none() {
    /// #     // SAFETY: no other thread of this program runs yet.
    /// #     unsafe { std::env::set_var("CANN_STUBS_DEVICES", "2") };
    /// # }
    /// use aclnn::{DType, Device, Tensor, collective::Communicator};
    ///
    /// let devices = &Device::all()?[..2];
    /// let group = Communicator::init_all(devices)?;
    /// group[0].send(&Tensor::from_slice(&devices[0], &[1.5f32, 2.5], [2])?, 1)?;
    /// let received = group[1].recv([2], DType::F32, 0)?;
    /// assert_eq!(received.to_vec::<f32>()?, [1.5, 2.5]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Communicator::broadcast`]; [`Argument`](crate::Error::Argument) if `to` is this rank itself.
    #[doc(alias = "HcclSend")]
    #[inline]
    pub fn send(&self, x: &Tensor, to: usize) -> Result<()> {
        let operation = Operation::new("send", self.stream_of(x)).tensor("x", x);
        self.check_placed(&operation)?;
        let to = self.check_peer(&operation, "the receiver", to)?;
        let (count, dtype) = count_moved(&operation, x.dtype(), x.numel())?;
        let x = source(&operation, x)?;
        let collective = Collective::Send { buffer: address(&x), count, dtype, to };
        // SAFETY: the tensor is contiguous and has as many elements.
        unsafe { self.queue(&operation, &[(&x, false)], Some(collective), None) }
    }

    /// Returns a new tensor with the elements that rank `from` sends with [`Communicator::send`], which must have this type and
    /// number. It is on the default stream of the device, or on that of [`Communicator::on`].
    ///
    /// # Errors
    /// Those of [`Communicator::send`].
    #[doc(alias = "HcclRecv")]
    pub fn recv(&self, shape: impl Into<Shape>, dtype: DType, from: usize) -> Result<Tensor> {
        let default = self.device().stream();
        let operation = Operation::new("recv", self.stream.as_ref().unwrap_or(&default));
        self.check_placed(&operation)?;
        self.check_peer(&operation, "the sender", from)?;
        let mut out = operation.empty(shape, dtype)?;
        self.recv_into(&mut out, from)?;
        Ok(out)
    }

    /// Queues that the elements of a tensor are replaced by those that rank `from` sends with [`Communicator::send`], which must
    /// have the same type and number.
    ///
    /// # Errors
    /// Those of [`Communicator::send`], and [`SharedElements`](crate::Error::SharedElements).
    #[doc(alias = "HcclRecv")]
    #[inline]
    pub fn recv_into(&self, out: &mut Tensor, from: usize) -> Result<()> {
        let operation = Operation::new("recv", self.stream_of(out)).tensor("out", out);
        self.check_placed(&operation)?;
        let from = self.check_peer(&operation, "the sender", from)?;
        let (count, dtype) = count_moved(&operation, out.dtype(), out.numel())?;
        let target = Target::new(&operation, "out", out, out.shape(), out.dtype())?;
        let collective = Collective::Receive { buffer: address(target.tensor()), count, dtype, from };
        // SAFETY: the tensor is contiguous and has as many elements.
        unsafe { self.queue(&operation, &[(target.tensor(), true)], Some(collective), None) }?;
        target.finish(&operation)
    }

    /// Holds the default stream of the device, or that of [`Communicator::on`], until every rank is there. The host does not
    /// wait: [synchronise](crate::Stream::synchronize) the stream for that.
    ///
    /// # Errors
    /// [`GroupFailed`](crate::Error::GroupFailed), [`StreamFailed`](crate::Error::StreamFailed);
    /// [`Collective`](crate::Error::Collective) if the library refuses.
    #[doc(alias = "HcclBarrier")]
    #[inline]
    pub fn barrier(&self) -> Result<()> {
        let default = self.device().stream();
        let operation = Operation::new("barrier", self.stream.as_ref().unwrap_or(&default));
        self.check_placed(&operation)?;
        // SAFETY: there is no memory.
        unsafe { self.queue(&operation, &[], Some(Collective::Barrier), None) }
    }

    /// Checks the other rank of a message, and returns it as C counts it.
    #[inline]
    pub(super) fn check_peer(&self, operation: &Operation<'_>, what: &str, rank: usize) -> Result<u32> {
        let number = self.check_rank(operation, what, rank)?;
        if rank == self.rank() {
            return Err(operation
                .refused(format!("{what} is rank {rank}, which is this one; copy the tensor instead")));
        }
        Ok(number)
    }
}
