//! [`Batch`]: messages that do not wait for each other.

use super::communicator::Communicator;
use super::parts::Parts;
use super::work::{Target, count_moved, source};
use crate::acl::Collective;
use crate::argument_checks::Operation;
use crate::error::{Error, Result};
use crate::stream::Stream;
use crate::tensor::{Overlap, Tensor};

/// Messages to and from other ranks, none of which waits for another, by [`Communicator::batch`]. It sends nothing before
/// [`Batch::run`].
///
/// ```
/// # if std::env::var_os("CANN_STUBS_DEVICES").is_none() {
/// #     // SAFETY: no other thread of this program runs yet.
/// #     unsafe { std::env::set_var("CANN_STUBS_DEVICES", "2") };
/// # }
/// use aclnn::{DType, Device, Tensor, collective::Communicator};
///
/// let group = Communicator::init_all(&Device::all()?)?;
/// let mut received = Vec::new();
/// for communicator in &group {
///     let (rank, size) = (communicator.rank(), communicator.size());
///     let own = Tensor::full(communicator.device(), [2], rank as i32, DType::I32)?;
///     let mut from_left = own.empty_like()?;
///     let batch = communicator.batch().send(&own, (rank + 1) % size);
///     batch.recv(&mut from_left, (rank + size - 1) % size).run()?;
///     received.push(from_left);
/// }
/// assert_eq!(received[1].to_vec::<i32>()?, [0, 0]);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[must_use = "nothing is sent before `run`"]
pub struct Batch<'a> {
    communicator: &'a Communicator,
    messages: Vec<Message<'a>>,
}

enum Message<'a> {
    Send(&'a Tensor, usize),
    Receive(&'a Tensor, usize),
}

impl Communicator {
    /// Starts a batch of messages.
    #[inline]
    pub fn batch(&self) -> Batch<'_> {
        Batch { communicator: self, messages: Vec::new() }
    }
}

impl<'a> Batch<'a> {
    /// Adds a message: the elements of `x` to rank `to`. Messages to one rank are received in the order in which they are sent.
    #[inline]
    pub fn send(mut self, x: &'a Tensor, to: usize) -> Self {
        self.messages.push(Message::Send(x, to));
        self
    }

    /// Adds a message: the elements of `out` are replaced by those that rank `from` sends, which must have the same type and
    /// number.
    #[inline]
    pub fn recv(mut self, out: &'a mut Tensor, from: usize) -> Self {
        self.messages.push(Message::Receive(out, from));
        self
    }

    /// Queues all messages, on the stream of [`Communicator::on`] or of the first tensor.
    ///
    /// # Errors
    /// Those of [`Communicator::send`]; [`Overlap`](crate::Error::Overlap) if a tensor that receives shares elements with another
    /// one of the batch.
    #[doc(alias = "HcclBatchSendRecv")]
    #[inline]
    pub fn run(self) -> Result<()> {
        let communicator = self.communicator;
        let Some(stream) = self.stream() else { return Ok(()) };
        let name = |message: &Message<'_>| if matches!(message, Message::Send(..)) { "send" } else { "recv" };
        let operation = self.messages.iter().fold(Operation::new("batch", stream), |operation, message| {
            operation.tensor(name(message), message.tensor())
        });
        communicator.check_placed(&operation)?;
        for (index, message) in self.messages.iter().enumerate() {
            let tensor = message.tensor();
            count_moved(&operation, tensor.dtype(), tensor.numel())?;
            let (what, rank) = match message {
                Message::Send(_, to) => ("a receiver", *to),
                Message::Receive(_, from) => ("a sender", *from),
            };
            communicator.check_peer(&operation, what, rank)?;
            if matches!(message, Message::Send(..)) {
                continue;
            }
            let mut others = self.messages.iter().enumerate().filter(|(other, _)| *other != index);
            if let Some((_, other)) =
                others.find(|(_, other)| tensor.overlap(other.tensor()) != Overlap::None)
            {
                let (operator, operands) = (operation.operator, operation.operands());
                return Err(Error::Overlap { operator, operands, output: "recv", name: name(other) });
            }
        }
        let mut sources = Vec::new();
        let mut targets = Vec::new();
        let mut items = Vec::with_capacity(self.messages.len());
        // Targets first: they check what can be written.
        for message in &self.messages {
            if let Message::Receive(out, _) = message {
                targets.push(Target::new(&operation, "recv", out, out.shape(), out.dtype())?);
            }
        }
        let mut receivers = targets.iter();
        for message in &self.messages {
            match message {
                Message::Send(x, to) => {
                    let x = source(&operation, x)?;
                    items.push(Parts::whole(&operation, &x)?.item(true, &x, 0, *to));
                    sources.push(x);
                }
                Message::Receive(_, from) => {
                    let target =
                        receivers.next().ok_or(Error::Internal { what: "a message without a tensor" })?;
                    items.push(Parts::whole(&operation, target.tensor())?.item(
                        false,
                        target.tensor(),
                        0,
                        *from,
                    ));
                }
            }
        }
        let reads = sources.iter().map(|source| (source, false));
        let tensors: Vec<_> = reads.chain(targets.iter().map(|target| (target.tensor(), true))).collect();
        // SAFETY: all are contiguous and have as many elements; those that receive overlap no other one.
        unsafe { communicator.queue(&operation, &tensors, Some(Collective::Batch(&mut items)), None) }?;
        targets.into_iter().try_for_each(|target| target.finish(&operation))
    }

    #[inline]
    fn stream(&self) -> Option<&Stream> {
        let first = self.messages.first()?;
        Some(self.communicator.stream_of(first.tensor()))
    }
}

impl<'a> Message<'a> {
    #[inline]
    fn tensor(&self) -> &'a Tensor {
        match self {
            Message::Send(tensor, _) | Message::Receive(tensor, _) => tensor,
        }
    }
}
