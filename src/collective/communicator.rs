//! [`Communicator`]: one rank of a group.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use super::id::Id;
use super::options::{Options, no_group};
use crate::acl::{Bound, RawCommunicator};
use crate::call::Needed;
use crate::device::{Device, Until};
use crate::error::{CallInfo, CloseError, Error, Failure, Operands, RankInfo, Result};
use crate::fork;
use crate::stream::Stream;
use crate::stream_core::StreamCore;

/// One rank of a group, and what the ranks do together.
///
/// Each rank has a device, and one communicator for it. [`Communicator::init_all`] makes a group of devices of this process;
/// [`Communicator::init`] joins a group whose ranks are threads or processes, on one host or on several.
///
/// Every rank calls the same collectives in the same order, with the same type, count, operation and root. Each is queued on
/// the [stream](crate::Tensor::stream) of its tensor, or on that of [`Communicator::on`], in order with everything else, and
/// returns at once; nothing waits for the other ranks until a result is read.
///
/// Handles share the communicator. Dropping the last one does not wait: the library destroys the communicator when its work is
/// over. Calls of several threads on one communicator run one after the other, in an order that is not the same on every
/// rank: let one thread call the collectives of a rank.
///
/// Views that are not contiguous are copied to a contiguous tensor first, and results that are not contiguous are copied there
/// afterwards, both on the same stream. Tensors without elements take part, too.
///
/// # Element types
///
/// | type | is moved as |
/// |---|---|
/// | f32, f16, bf16, f64, integers of 8 to 64 bits, f8e4m3fn, f8e5m2, f8e8m0, hif8 | itself |
/// | bool | a byte, as u8 |
/// | complex, and types that HCCL lacks | bytes, as u8 |
/// | elements of less than a byte | bytes, if they fill whole ones |
///
/// [`ReduceOp`](super::ReduceOp) says which types are combined.
///
/// # Failures
///
/// A call that does not fit its operands is refused before anything is queued. Calls that do not fit those of other ranks, ranks
/// that do not come in time and ranks that are gone make the queued work fail: the stream returns
/// [`Error::StreamFailed`], and the communicator returns [`Error::GroupFailed`] from then on, with the reason. Other streams go
/// on. Drop the communicator, and make a new group.
#[derive(Clone)]
#[doc(alias = "HcclComm")]
pub struct Communicator {
    pub(super) member: Arc<Member>,
    /// The stream of the calls of this handle, if it is not that of the tensor.
    pub(super) stream: Option<Stream>,
}

/// The state that the handles of a communicator share.
pub(super) struct Member {
    pub(super) device: Device,
    /// `None` when it has ended.
    raw: Option<RawCommunicator>,
    pub(super) info: RankInfo,
    /// The work that is queued. Locked while more is queued, as the library may take one call at a time.
    until: Mutex<Until>,
    /// The first failure that is known. After it, nothing is queued.
    failure: OnceLock<Failure>,
}

#[inline]
fn call(operator: &'static str) -> Box<CallInfo> {
    Box::new(CallInfo { operator, operands: Operands::new([]) })
}

impl Communicator {
    /// Joins a group of `size` ranks as rank number `rank`, with a device. All ranks give the same `id` and the same size.
    ///
    /// This function waits until every rank has joined, or the time is up. So ranks of one process join in threads of their
    /// own; [`Communicator::init_all`] makes them at once.
    ///
    /// ```
    /// # if std::env::var_os("CANN_STUBS_DEVICES").is_none() {
    /// #     // SAFETY: no other thread of this program runs yet.
    /// #     unsafe { std::env::set_var("CANN_STUBS_DEVICES", "2") };
    /// # }
    /// use std::thread;
    /// use aclnn::collective::{Communicator, Id, ReduceOp};
    /// use aclnn::{Device, Error, Tensor};
    ///
    /// let id = Id::new(&Device::open(0)?)?;
    /// let ranks = [0, 1].map(|rank| {
    ///     let id = id.clone();
    ///     thread::spawn(move || {
    ///         let device = Device::open(rank as i32)?;
    ///         let communicator = Communicator::init(&device, &id, rank, 2)?;
    ///         let x = Tensor::from_slice(&device, &[rank as i32 + 1, 10], [2])?;
    ///         communicator.all_reduce(&x, ReduceOp::Sum)?.to_vec::<i32>()
    ///     })
    /// });
    /// for rank in ranks {
    ///     assert_eq!(rank.join().expect("no panic")?, [3, 20]);
    /// }
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`] if there is no such rank; [`Error::Collective`] if the group could not be made, such as when a rank
    /// did not join in time; [`Error::MissingSymbol`] where there is no library of collectives.
    #[doc(alias = "HcclCommInitRootInfo")]
    #[inline]
    pub fn init(device: &Device, id: &Id, rank: usize, size: usize) -> Result<Communicator> {
        Self::join(device, id, rank, size, &Options::default())
    }

    /// Starts settings, with which [`Options::init`] joins a group.
    #[inline]
    pub fn options() -> Options {
        Options::default()
    }

    #[inline]
    fn join(device: &Device, id: &Id, rank: usize, size: usize, options: &Options) -> Result<Communicator> {
        let (Ok(ranks), Ok(number), true) = (u32::try_from(size), u32::try_from(rank), rank < size) else {
            return Err(no_group(format!(
                "there is no rank {rank} in a group of {size}; ranks count from 0, and there is at least one"
            )));
        };
        let bound = device.bind()?;
        device.retired_communicators().sweep(&bound)?;
        let config = options.config(|| bound.version_of_config())?;
        let joined = bound.join(ranks, id.info(), number, config.as_deref());
        let raw = joined.map_err(|error| match error {
            Error::Library(cause) => {
                let rank = Box::new(RankInfo { rank, size, group: String::new() });
                Error::Collective { call: call("Communicator::init"), rank, cause }
            }
            error => error,
        })?;
        Self::adopt(device, &bound, raw, rank, size)
    }

    /// Makes a group of devices of this process, a rank for each in their order. One thread may call the collectives of all
    /// ranks: first on each of them, and then it reads the results.
    ///
    /// On devices, the first call of a rank may wait for those of the others, which CANN does not say: use a thread for each
    /// rank there, as the second example does.
    ///
    /// ```
    /// # if std::env::var_os("CANN_STUBS_DEVICES").is_none() {
    /// #     // SAFETY: no other thread of this program runs yet.
    /// #     unsafe { std::env::set_var("CANN_STUBS_DEVICES", "2") };
    /// # }
    /// use aclnn::{Device, collective::Communicator};
    ///
    /// let group = Communicator::init_all(&Device::all()?)?;
    /// for (rank, communicator) in group.iter().enumerate() {
    ///     assert_eq!((communicator.rank(), communicator.size()), (rank, group.len()));
    /// }
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// ```
    /// # if std::env::var_os("CANN_STUBS_DEVICES").is_none() {
    /// #     // SAFETY: no other thread of this program runs yet.
    /// #     unsafe { std::env::set_var("CANN_STUBS_DEVICES", "2") };
    /// # }
    /// use aclnn::collective::{Communicator, ReduceOp};
    /// use aclnn::{DType, Device, Result, Tensor};
    ///
    /// let devices = Device::all()?;
    /// let group = Communicator::init_all(&devices)?;
    /// std::thread::scope(|scope| {
    ///     let ranks: Vec<_> = devices
    ///         .iter()
    ///         .zip(&group)
    ///         .map(|(device, rank)| {
    ///             scope.spawn(move || -> Result<f32> {
    ///                 let x = Tensor::full(device, 3, rank.rank(), DType::F32)?;
    ///                 rank.all_reduce(&x, ReduceOp::Sum)?.select(0, 0)?.item()
    ///             })
    ///         })
    ///         .collect();
    ///     let expected = (0..devices.len()).sum::<usize>() as f32;
    ///     for rank in ranks {
    ///         assert_eq!(rank.join().unwrap()?, expected);
    ///     }
    ///     Ok::<(), aclnn::Error>(())
    /// })?;
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`] if there are no devices, or one twice; [`Error::Library`] with what the library returned;
    /// [`Error::MissingSymbol`] where there is no library of collectives.
    #[doc(alias = "HcclCommInitAll")]
    #[inline]
    pub fn init_all(devices: &[Device]) -> Result<Vec<Communicator>> {
        let mut ids: Vec<i32> = devices.iter().map(Device::id).collect();
        let is_twice = (1..ids.len()).any(|end| ids.iter().skip(end).any(|id| ids.get(end - 1) == Some(id)));
        let Some(first) = devices.first().filter(|_| !is_twice) else {
            let operator = "Communicator::init_all";
            let reason = format!("the devices are {ids:?}; there must be at least one, and each once");
            return Err(Error::Argument { operator, operands: Operands::new([]), reason });
        };
        for device in devices {
            device.retired_communicators().sweep(&device.bind()?)?;
        }
        let made = first.bind()?.join_all(&mut ids)?;
        let size = made.len();
        let of_rank = |((rank, raw), device): ((usize, RawCommunicator), &Device)| match device.bind() {
            Ok(bound) => Self::adopt(device, &bound, raw, rank, size),
            Err(error) => {
                device.retired_communicators().put(raw, Until::default());
                Err(error)
            }
        };
        made.into_iter().enumerate().zip(devices).map(of_rank).collect()
    }

    /// Takes over a communicator, and asks for the name of its group.
    #[inline]
    fn adopt(
        device: &Device,
        bound: &Bound<'_>,
        raw: RawCommunicator,
        rank: usize,
        size: usize,
    ) -> Result<Communicator> {
        let named = match bound.group_name(&raw) {
            // Messages do without it.
            Err(Error::MissingSymbol(_)) => Ok(String::new()),
            named => named,
        };
        // What follows drops it.
        let member = Member {
            device: device.clone(),
            raw: Some(raw),
            info: RankInfo { rank, size, group: named.as_ref().cloned().unwrap_or_default() },
            until: Mutex::default(),
            failure: OnceLock::new(),
        };
        named.map(|_| Communicator { member: Arc::new(member), stream: None })
    }

    /// Returns a handle of the same communicator, whose calls go to `stream` instead of the streams of the tensors. The stream is
    /// one of the [device](Communicator::device), which the calls check.
    #[inline]
    pub fn on(&self, stream: &Stream) -> Communicator {
        Communicator { member: self.member.clone(), stream: Some(stream.clone()) }
    }

    /// Returns the number of this rank.
    #[doc(alias = "HcclGetRankId")]
    #[inline]
    pub fn rank(&self) -> usize {
        self.member.info.rank
    }

    /// Returns the number of ranks.
    #[doc(alias = "HcclGetRankSize")]
    #[inline]
    pub fn size(&self) -> usize {
        self.member.info.size
    }

    /// Returns the name of the group, or an empty text where the library does not tell it.
    #[doc(alias = "HcclGetCommName")]
    #[inline]
    pub fn name(&self) -> &str {
        &self.member.info.group
    }

    /// Returns the device of this rank.
    #[inline]
    pub fn device(&self) -> &Device {
        &self.member.device
    }

    /// Returns an error if a collective of the group is known to have failed, on this rank or on another one. Waits for
    /// nothing.
    ///
    /// # Errors
    /// [`Error::GroupFailed`] with the first reason, or what the library returned.
    #[doc(alias = "HcclGetCommAsyncError")]
    #[inline]
    pub fn check(&self) -> Result<()> {
        let bound = self.member.device.bind()?;
        let member = &self.member;
        if member.failure.get().is_none()
            && let Some(failure) = bound.failure_of(member.raw()?)?
        {
            member.fail(failure);
        }
        member.must_work(|| *call("check"))
    }

    /// Closes the communicator: waits for its work on this rank, destroys it and reports failures, which dropping the last
    /// handle cannot do. Failures of the work are those of its stream.
    ///
    /// # Errors
    /// [`Error::InUse`], which gives the handle back, while other handles exist, or a [`Graph`](crate::Graph) that has captured
    /// calls of the communicator; what failed earlier in a drop, or what the
    /// library returned. The handle is also given back if the device could not be reached.
    #[doc(alias = "HcclCommDestroy")]
    #[inline]
    pub fn close(self) -> Result<(), CloseError<Communicator>> {
        let Communicator { member, stream } = self;
        if let Err(error) = fork::check() {
            return Err(CloseError::new(Communicator { member, stream }, error));
        }
        let mut member = match Arc::try_unwrap(member) {
            Ok(member) => member,
            Err(member) => {
                let others = Arc::strong_count(&member).saturating_sub(1);
                let (what, device) = ("communicator of device", member.device.id());
                let error = Error::InUse { what, device, others };
                return Err(CloseError::new(Communicator { member, stream }, error));
            }
        };
        let device = member.device.clone();
        let bound = match device.bind_to_drop() {
            Ok(bound) => bound,
            Err(error) => {
                return Err(CloseError::new(Communicator { member: Arc::new(member), stream }, error));
            }
        };
        let waited = member.lock().streams().try_for_each(|stream| stream.idle(&bound));
        if let Err(error) = waited {
            return Err(CloseError::new(Communicator { member: Arc::new(member), stream }, error));
        }
        let destroyed = member.raw.take().map_or(Ok(()), |raw| bound.destroy_communicator(raw));
        Ok(destroyed.and_then(|()| device.deferred())?)
    }
}

impl Options {
    /// Joins a group with these settings, as [`Communicator::init`] does.
    ///
    /// # Errors
    /// Those of [`Communicator::init`]; [`Error::Argument`] for a setting that is out of its range,
    /// or that the library does not know.
    #[doc(alias = "HcclCommInitRootInfoConfig")]
    #[inline]
    pub fn init(&self, device: &Device, id: &Id, rank: usize, size: usize) -> Result<Communicator> {
        Communicator::join(device, id, rank, size, self)
    }
}

impl Member {
    #[inline]
    pub(super) fn lock(&self) -> MutexGuard<'_, Until> {
        self.until.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[inline]
    pub(super) fn raw(&self) -> Result<&RawCommunicator> {
        self.raw.as_ref().ok_or(Error::Internal { what: "a communicator that has ended" })
    }

    /// Keeps the first failure of the group.
    #[inline]
    pub(super) fn fail(&self, failure: Failure) {
        self.failure.get_or_init(|| failure);
    }

    /// Refuses a call of a group that is known to have failed, and marks it so where a stream of this rank has failed, whose
    /// work `until` has.
    pub(super) fn must_have_worked(
        &self,
        bound: &Bound<'_>,
        until: &mut Until,
        call: impl FnOnce() -> CallInfo,
    ) -> Result<()> {
        until.forget_passed();
        // Whether this rank still took part after a failure of its stream is not known, nor with which elements.
        if let Some(Error::StreamFailed(lost)) = until.streams().find_map(|used| used.check().err()) {
            self.fail(bound.told_failure_of(self.raw()?)?.unwrap_or(lost));
        }
        self.must_work(call)
    }

    /// Marks the group as failed where a call was refused for that reason.
    pub(super) fn note_refusal(
        &self,
        bound: &Bound<'_>,
        cause: &Failure,
        call: impl FnOnce() -> CallInfo,
    ) -> Result<()> {
        match bound.told_failure_of(self.raw()?)? {
            Some(_failed) => {
                self.fail(cause.clone());
                self.must_work(call)
            }
            None => Ok(()),
        }
    }

    /// Refuses a call of a group that is known to have failed.
    pub(super) fn must_work(&self, call: impl FnOnce() -> CallInfo) -> Result<()> {
        self.failure.get().map_or(Ok(()), |failure| {
            Err(Error::GroupFailed {
                call: Box::new(call()),
                rank: Box::new(self.info.clone()),
                cause: failure.clone(),
            })
        })
    }
}

impl Needed for Member {
    #[inline]
    fn must_work(&self, bound: &Bound<'_>) -> Result<()> {
        self.must_have_worked(bound, &mut self.lock(), || *call("replay"))
    }

    #[inline]
    fn replayed(&self, bound: &Bound<'_>, stream: &Arc<StreamCore>, outcome: &Result<()>) -> Result<()> {
        self.lock().add(stream);
        match outcome {
            Err(Error::Library(cause)) => self.note_refusal(bound, cause, || *call("replay")),
            _ => Ok(()),
        }
    }
}

impl fmt::Debug for Member {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Member").field("info", &self.info).finish_non_exhaustive()
    }
}

impl Drop for Member {
    #[inline]
    fn drop(&mut self) {
        // A forked process has no part in the group.
        let Some(raw) = self.raw.take().filter(|_| !fork::is_forked()) else { return };
        let until = std::mem::take(self.until.get_mut().unwrap_or_else(PoisonError::into_inner));
        let retired = self.device.retired_communicators();
        retired.put(raw, until);
        // If the context cannot be made current, for example while a thread ends, it stays until its device ends.
        if let Ok(bound) = self.device.bind_to_drop() {
            let swept = retired.sweep(&bound);
            self.device.defer("a communicator", swept);
        }
    }
}

impl fmt::Debug for Communicator {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Communicator")
            .field("group", &self.name())
            .field("rank", &self.rank())
            .field("size", &self.size())
            .field("device", &self.device().id())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DType;
    use crate::backend::Backend;
    use crate::collective::ReduceOp;
    use crate::tensor::Tensor;

    fn lacks<T>(result: Result<T>, function: &str) -> bool {
        matches!(result, Err(Error::MissingSymbol(lack)) if lack.symbol == function && !lack.library.is_empty())
    }

    /// Everything else works without it.
    #[test]
    fn a_function_that_the_library_lacks_is_named() -> Result<()> {
        let device = Device::of(Backend::without("HcclGetRootInfo")?)?;
        assert!(lacks(Id::new(&device), "HcclGetRootInfo"));
        let device = Device::of(Backend::without("HcclGetCommConfigCapability")?)?;
        let named = Communicator::options().name("a").init(&device, &Id::new(&device)?, 0, 1);
        assert!(lacks(named, "HcclGetCommConfigCapability"));
        let device = Device::of(Backend::without("HcclGetCommName")?)?;
        let own = Communicator::init_all(std::slice::from_ref(&device))?;
        assert!(own.iter().all(|own| own.name().is_empty()));
        // What the library refused is told all the same.
        let device = Device::of(Backend::without("HcclGetCommAsyncError")?)?;
        let own = Communicator::init(&device, &Id::new(&device)?, 0, 1)?;
        let scale = Tensor::from_bytes(&device, DType::F8E8M0, &[1], [1])?;
        let refused = own.all_reduce(&scale, ReduceOp::Sum).map(drop);
        assert!(matches!(refused, Err(Error::Collective { .. })), "{refused:?}");
        assert!(lacks(own.check(), "HcclGetCommAsyncError"));
        let device = Device::of(Backend::without("HcclBarrier")?)?;
        let own = Communicator::init(&device, &Id::new(&device)?, 0, 1)?;
        assert!(lacks(own.barrier(), "HcclBarrier"));
        assert_eq!(own.broadcast(&Tensor::ones(&device, [2], DType::I32)?, 0)?.to_vec::<i32>()?, [1, 1]);
        Ok(())
    }
}
