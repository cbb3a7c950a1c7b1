//! Combining the elements of two regions of device memory.

use std::ffi::c_void;

use aclnn_numerics::{DType, bf16, f16};
use aclnn_sys::{
    ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX, ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM,
    aclDataType, aclrtReduceKind,
};
use cann_kernels::Span;

use super::combined::Combined;
use super::peer::must_reach;
use super::place::device_bytes;
use crate::check::tracker::{self, Access, Purpose, Work};
use crate::entry::{Address, Handle, entry_points, plain_parameters};
use crate::runtime::{code, stream};
use crate::status::{Result, Status};
use crate::trace::Details;

#[derive(Clone, Copy)]
enum Kind {
    Sum,
    Max,
    Min,
}

/// A loop over elements of one type.
type Loop = fn(*mut u8, *const u8, usize, Kind);

fn each<T: Combined>(destination: *mut u8, source: *const u8, bytes: usize, kind: Kind) {
    let (destination, source) = (destination.cast::<T>(), source.cast::<T>());
    for index in 0..bytes / size_of::<T>() {
        // SAFETY: `run` found `bytes` bytes of live device memory on both sides; they need not be aligned.
        unsafe {
            let place = destination.add(index);
            let (own, other) = (place.read_unaligned(), source.add(index).read_unaligned());
            place.write_unaligned(match kind {
                Kind::Sum => own.sum(other),
                Kind::Max => own.larger(other),
                Kind::Min => own.smaller(other),
            });
        }
    }
}

fn loop_of(dtype: DType) -> Option<Loop> {
    Some(match dtype {
        DType::F32 => each::<f32>,
        DType::F16 => each::<f16>,
        DType::BF16 => each::<bf16>,
        DType::I8 => each::<i8>,
        DType::I16 => each::<i16>,
        DType::I32 => each::<i32>,
        _ => return None,
    })
}

#[derive(Clone, Copy)]
struct Reduction {
    destination: usize,
    source: usize,
    bytes: usize,
    kind: Kind,
    each: Loop,
}

impl Reduction {
    fn locate(&self) -> Result<(*mut u8, *const u8)> {
        Ok((device_bytes(self.destination, self.bytes)?, device_bytes(self.source, self.bytes)?))
    }

    fn judge(&self, function: &'static str, stream: &stream::Stream) -> Result {
        let access = |name, start, purpose| Access { name, span: Span::dense(start, self.bytes), purpose };
        let accesses = [
            access("src", self.source, Purpose::Read),
            access("dst", self.destination, Purpose::Read),
            access("dst", self.destination, Purpose::Write),
        ];
        tracker::submit(
            stream.id(),
            stream.tally(),
            &Work { function, code: code::PARAM_INVALID, accesses: &accesses, carried: &[] },
        )
    }

    fn details(&self) -> Details {
        Details { kernels: vec!["reduce"], bytes: 3 * self.bytes, ..Details::default() }
    }

    fn run(&self) -> Result {
        let (destination, source) = self.locate()?;
        (self.each)(destination, source, self.bytes, self.kind);
        Ok(())
    }
}

plain_parameters! { aclrtReduceKind }

entry_points! { SYMBOLS:
    /// `count` is taken as bytes, as in every other function on memory; the sources do not say it. What EQUAL does they
    /// do not say either, so it is refused; nor what becomes of NaN, which wins here, as in `aclnnMaximum`.
    fn aclrtReduceAsync(
        destination: Address<*mut c_void>,
        source: Address<*const c_void>,
        count: u64,
        kind: aclrtReduceKind,
        dtype: aclDataType,
        stream: Handle<*mut c_void>,
        _reserve: Address<*mut c_void>,
    ) -> i32 {
        let destination = destination.required("dst", code::INVALID_PARAM)?;
        let source = source.required("src", code::INVALID_PARAM)?;
        let kind = match kind {
            ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM => Kind::Sum,
            ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX => Kind::Max,
            ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN => Kind::Min,
            _ => {
                let message = format!("kind {} is not emulated; 10 to 12 are", kind.0);
                return Err(Status::new(code::FEATURE_NOT_SUPPORT, message));
            }
        };
        let wanted = DType::from_acl_code(dtype.0);
        let (size, each) = wanted.and_then(|dtype| Some((dtype.bits() / 8, loop_of(dtype)?))).ok_or_else(|| {
            let message = format!("type {} is not reduced; f32 f16 bf16 i8 i16 i32 are", dtype.0);
            Status::new(code::FEATURE_NOT_SUPPORT, message)
        })?;
        let bytes = usize::try_from(count).ok().filter(|bytes| *bytes > 0 && bytes % size == 0).ok_or_else(|| {
            let message = format!("count is {count}; it is in bytes, and an element has {size}");
            Status::new(code::PARAM_INVALID, message)
        })?;
        let reduction = Reduction { destination, source, bytes, kind, each };
        reduction.locate()?;
        let stream = stream::resolve(stream.0)?;
        must_reach(stream.device, destination)?;
        must_reach(stream.device, source)?;
        stream::capture::submit(&stream, "aclrtReduceAsync", move |stream| {
            reduction.locate()?;
            stream.must_accept()?;
            reduction.judge("aclrtReduceAsync", stream)?;
            stream.submit("aclrtReduceAsync", || reduction.details(), Box::new(move || reduction.run()))
        })
    }
}
