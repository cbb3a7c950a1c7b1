//! Tensors in DLPack's form: the structures, the codes, both directions, and NumPy as the other side.

use std::ffi::c_void;
use std::mem::{offset_of, size_of};
use std::process::Command;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicUsize, Ordering};

use aclnn::interop::dlpack::{
    DLDataType, DLDevice, DLDeviceType, DLManagedTensor, DLManagedTensorVersioned, DLPackVersion, DLTensor,
    ManagedTensor,
};
use aclnn::{DType, Device, Element, Error, Stream, Tensor, f16, ops};

use crate::support;

type Outcome = Result<(), Error>;

#[test]
#[cfg(target_pointer_width = "64")]
fn the_structures_lie_as_published() {
    assert_eq!(size_of::<DLTensor>(), 48);
    assert_eq!(offset_of!(DLTensor, data), 0);
    assert_eq!(offset_of!(DLTensor, device), 8);
    assert_eq!(offset_of!(DLDevice, device_id), 4);
    assert_eq!(offset_of!(DLTensor, ndim), 16);
    assert_eq!(offset_of!(DLTensor, dtype), 20);
    assert_eq!((offset_of!(DLDataType, bits), offset_of!(DLDataType, lanes)), (1, 2));
    assert_eq!(offset_of!(DLTensor, shape), 24);
    assert_eq!(offset_of!(DLTensor, strides), 32);
    assert_eq!(offset_of!(DLTensor, byte_offset), 40);
    assert_eq!(size_of::<DLManagedTensor>(), 64);
    assert_eq!(offset_of!(DLManagedTensor, manager_ctx), 48);
    assert_eq!(offset_of!(DLManagedTensor, deleter), 56);
    assert_eq!(size_of::<DLManagedTensorVersioned>(), 80);
    assert_eq!(offset_of!(DLPackVersion, minor), 4);
    assert_eq!(offset_of!(DLManagedTensorVersioned, manager_ctx), 8);
    assert_eq!(offset_of!(DLManagedTensorVersioned, deleter), 16);
    assert_eq!(offset_of!(DLManagedTensorVersioned, flags), 24);
    assert_eq!(offset_of!(DLManagedTensorVersioned, dl_tensor), 32);
}

/// Codes and bits as published.
const CODES: [(DType, u8, u8); 28] = [
    (DType::I8, 0, 8),
    (DType::I16, 0, 16),
    (DType::I32, 0, 32),
    (DType::I64, 0, 64),
    (DType::I4, 0, 4),
    (DType::I2, 0, 2),
    (DType::U8, 1, 8),
    (DType::U16, 1, 16),
    (DType::U32, 1, 32),
    (DType::U64, 1, 64),
    (DType::U4, 1, 4),
    (DType::U2, 1, 2),
    (DType::U1, 1, 1),
    (DType::F16, 2, 16),
    (DType::F32, 2, 32),
    (DType::F64, 2, 64),
    (DType::BF16, 4, 16),
    (DType::C32, 5, 32),
    (DType::C64, 5, 64),
    (DType::C128, 5, 128),
    (DType::Bool, 6, 8),
    (DType::F8E4M3FN, 10, 8),
    (DType::F8E4M3FNUZ, 11, 8),
    (DType::F8E5M2, 12, 8),
    (DType::F8E5M2FNUZ, 13, 8),
    (DType::F8E8M0, 14, 8),
    (DType::F6E2M3, 15, 6),
    (DType::F6E3M2, 16, 6),
];

#[test]
fn every_type_has_its_code() -> Outcome {
    for (dtype, code, bits) in CODES.into_iter().chain([(DType::F4E2M1, 17, 4)]) {
        assert_eq!(DLDataType::try_from(dtype)?, DLDataType { code, bits, lanes: 1 });
        assert_eq!(DType::try_from(DLDataType { code, bits, lanes: 1 })?, dtype);
    }
    let ours = DType::ALL.iter().filter(|&&dtype| DLDataType::try_from(dtype).is_ok()).count();
    assert_eq!(ours, CODES.len() + 1);
    for dtype in [DType::HiF8, DType::F4E1M2, DType::HiF4, DType::String] {
        let error = DLDataType::try_from(dtype).unwrap_err().to_string();
        assert!(error.contains(&format!("DLPack: it has no type for {dtype}")), "{error}");
    }
    Ok(())
}

#[test]
fn codes_without_a_type_are_named() {
    for (code, bits, lanes, name) in [
        (3, 64, 1, "3 (kDLOpaqueHandle)"),
        (7, 8, 1, "7 (kDLFloat8_e3m4)"),
        (8, 8, 1, "8 (kDLFloat8_e4m3)"),
        (9, 8, 1, "9 (kDLFloat8_e4m3b11fnuz)"),
        (2, 80, 1, "2 (kDLFloat) with 80 bits"),
        (2, 32, 4, "2 (kDLFloat) with 32 bits and 4 lanes"),
        (10, 16, 1, "10 (kDLFloat8_e4m3fn) with 16 bits"),
        (18, 8, 1, "18 (not known)"),
        (255, 8, 1, "255 (not known)"),
    ] {
        let error = DType::try_from(DLDataType { code, bits, lanes }).unwrap_err().to_string();
        assert!(error.contains(name), "{error}");
    }
}

/// A tensor of somebody else, which counts how often it is deleted.
#[repr(C)]
struct Foreign {
    managed: DLManagedTensorVersioned,
    shape: Vec<i64>,
    strides: Vec<i64>,
    deleted: &'static AtomicUsize,
}

unsafe extern "C" fn delete(managed: *mut DLManagedTensorVersioned) {
    // SAFETY: made below, and deleted once.
    let foreign = unsafe { Box::from_raw((*managed).manager_ctx.cast::<Foreign>()) };
    foreign.deleted.fetch_add(1, Ordering::Relaxed);
}

/// Elements at `data`, which stays.
fn foreign<T: Element, const N: usize>(
    data: &'static [T],
    byte_offset: usize,
    sizes: [i64; N],
    strides: Option<[i64; N]>,
    deleted: &'static AtomicUsize,
) -> Result<NonNull<DLManagedTensorVersioned>, Error> {
    let mut shape = sizes.to_vec();
    let mut strides = strides.map(|strides| strides.to_vec()).unwrap_or_default();
    let managed = DLManagedTensorVersioned {
        version: DLPackVersion { major: 1, minor: 0 },
        manager_ctx: ptr::null_mut(),
        deleter: Some(delete),
        flags: DLManagedTensorVersioned::FLAG_READ_ONLY,
        dl_tensor: DLTensor {
            data: data.as_ptr().cast_mut().cast(),
            device: DLDevice { device_type: DLDeviceType::CPU, device_id: 0 },
            ndim: N as i32,
            dtype: T::DTYPE.try_into()?,
            shape: shape.as_mut_ptr(),
            strides: if strides.is_empty() { ptr::null_mut() } else { strides.as_mut_ptr() },
            byte_offset: byte_offset as u64,
        },
    };
    let foreign = Box::into_raw(Box::new(Foreign { managed, shape, strides, deleted }));
    // SAFETY: just made.
    unsafe {
        (*foreign).managed.manager_ctx = foreign.cast();
        Ok(NonNull::new_unchecked(&raw mut (*foreign).managed))
    }
}

#[test]
fn foreign_layouts_keep_their_indices() -> Outcome {
    static DELETED: AtomicUsize = AtomicUsize::new(0);
    static DATA: [i16; 12] = [0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23];
    let device = Device::open(0)?;
    let read = |byte_offset, sizes: [i64; 2], strides| {
        // SAFETY: a live tensor of constants.
        let managed =
            unsafe { ManagedTensor::from_raw(foreign(&DATA, byte_offset, sizes, strides, &DELETED)?)? };
        Tensor::from_dlpack(&device, &managed)?.to_vec::<i16>()
    };
    assert_eq!(read(0, [3, 4], None)?, DATA);
    assert_eq!(read(8, [2, 4], Some([4, 1]))?, [10, 11, 12, 13, 20, 21, 22, 23]);
    assert_eq!(read(2, [3, 2], Some([4, 2]))?, [1, 3, 11, 13, 21, 23]);
    assert_eq!(read(0, [4, 3], Some([1, 4]))?, [0, 10, 20, 1, 11, 21, 2, 12, 22, 3, 13, 23]);
    assert_eq!(read(22, [3, 2], Some([-4, -1]))?, [23, 22, 13, 12, 3, 2]);
    assert_eq!(read(4, [2, 2], Some([0, 1]))?, [2, 3, 2, 3]);
    assert!(read(0, [0, 4], Some([4, 1]))?.is_empty());
    assert_eq!(DELETED.load(Ordering::Relaxed), 7);
    for (sizes, what) in [([-1, 4], "shape [-1, 4]"), ([i64::MAX, i64::MAX], "larger than any memory")] {
        let error = read(0, sizes, None).unwrap_err().to_string();
        assert!(error.contains(what), "{error}");
    }
    Ok(())
}

#[test]
fn foreign_tensors_are_deleted_once_whatever_becomes_of_them() -> Outcome {
    static DELETED: AtomicUsize = AtomicUsize::new(0);
    static DATA: [f32; 2] = [1.5, -2.0];
    let device = Device::open(0)?;

    let mut later = foreign(&DATA, 0, [2], None, &DELETED)?;
    // SAFETY: it is live.
    unsafe { later.as_mut().version.major = 2 };
    // SAFETY: as far as the version, a live tensor.
    let error = unsafe { ManagedTensor::from_raw(later) }.unwrap_err().to_string();
    assert!(error.contains("version 2.0"), "{error}");
    assert_eq!(DELETED.load(Ordering::Relaxed), 1);

    // SAFETY: a live tensor of constants.
    let managed = unsafe { ManagedTensor::from_raw(foreign(&DATA, 0, [2], None, &DELETED)?)? };
    let error = managed.into_raw_unversioned().unwrap_err().to_string();
    assert!(error.contains("read-only"), "{error}");
    assert_eq!(DELETED.load(Ordering::Relaxed), 2);

    let mut elsewhere = foreign(&DATA, 0, [2], None, &DELETED)?;
    // SAFETY: it is live.
    unsafe { elsewhere.as_mut().dl_tensor.device.device_type = DLDeviceType(2) };
    // SAFETY: its memory is never read.
    let managed = unsafe { ManagedTensor::from_raw(elsewhere)? };
    let error = Tensor::from_dlpack(&device, &managed).unwrap_err().to_string();
    assert!(error.contains("a device of type 2; copy it to the host"), "{error}");
    drop(managed);
    assert_eq!(DELETED.load(Ordering::Relaxed), 3);

    // SAFETY: a live tensor of constants.
    let managed = unsafe { ManagedTensor::from_raw(foreign(&DATA, 0, [2], None, &DELETED)?)? };
    // SAFETY: a null pointer leads nowhere; nothing is read.
    let there = unsafe { Tensor::from_dlpack_device(&device, &managed) }.unwrap_err().to_string();
    assert!(there.contains("on device 0 of type 1, not on device 0 of type 12"), "{there}");
    // SAFETY: given away, and taken back.
    let managed = unsafe { ManagedTensor::from_raw(managed.into_raw())? };
    assert_eq!(Tensor::from_dlpack(&device, &managed)?.to_vec::<f32>()?, DATA);
    std::thread::spawn(move || drop(managed)).join().unwrap_or_default();
    assert_eq!(DELETED.load(Ordering::Relaxed), 4);

    let mut elsewhere = foreign(&DATA, 0, [2], None, &DELETED)?;
    // SAFETY: it is live.
    unsafe {
        elsewhere.as_mut().dl_tensor.device = DLDevice { device_type: DLDeviceType::EXT_DEV, device_id: 1 }
    };
    // SAFETY: its memory is never read.
    let there = unsafe { Tensor::from_dlpack_device(&device, &ManagedTensor::from_raw(elsewhere)?) };
    let there = there.unwrap_err().to_string();
    assert!(there.contains("on device 1 of type 12, not on device 0 of type 12"), "{there}");
    Ok(())
}

#[test]
fn elements_padded_to_bytes_are_packed() -> Outcome {
    static DELETED: AtomicUsize = AtomicUsize::new(0);
    static DATA: [u8; 6] = [0x1, 0x2, 0x3, 0x4, 0x5, 0xF6];
    let device = Device::open(0)?;
    let read = |flags, strides| {
        let mut raw = foreign(&DATA, 0, [2, 3], strides, &DELETED)?;
        // SAFETY: it is live.
        let managed = unsafe {
            raw.as_mut().flags = flags;
            raw.as_mut().dl_tensor.dtype = DLDataType { code: 17, bits: 4, lanes: 1 };
            ManagedTensor::from_raw(raw)?
        };
        let tensor = Tensor::from_dlpack(&device, &managed)?;
        assert_eq!(tensor.dtype(), DType::F4E2M1);
        tensor.to_bytes()
    };
    let padded = DLManagedTensorVersioned::FLAG_IS_SUBBYTE_TYPE_PADDED;
    assert_eq!(read(padded, None)?, [0x21, 0x43, 0x65]);
    assert_eq!(read(padded, Some([1, 2]))?, [0x31, 0x25, 0x64]);
    assert_eq!(read(0, None)?, [0x01, 0x02, 0x03]);
    let error = read(0, Some([1, 2])).unwrap_err().to_string();
    assert!(error.contains("f4e2m1[2, 3] is packed and not contiguous"), "{error}");
    Ok(())
}

#[test]
fn every_type_goes_to_the_host_and_back() -> Outcome {
    let device = Device::open(0)?;
    for (dtype, code, bits) in CODES {
        // Twelve elements fill whole bytes of every type but u1.
        let bytes: Vec<u8> = (0..(12 * usize::from(bits)).div_ceil(8)).map(|i| (i % 2) as u8).collect();
        let tensor = Tensor::from_bytes(&device, dtype, &bytes, [3, 4])?;
        let managed = tensor.to_dlpack_on_host()?;
        let there = managed.tensor();
        assert_eq!((there.dtype.code, there.dtype.bits, there.ndim), (code, bits, 2));
        assert_eq!(there.device, DLDevice { device_type: DLDeviceType::CPU, device_id: 0 });
        assert_eq!((there.data as usize % 256, there.byte_offset), (0, 0));
        assert_eq!(managed.flags(), DLManagedTensorVersioned::FLAG_IS_COPIED);
        // SAFETY: memory of the host with so many bytes.
        let seen = unsafe { std::slice::from_raw_parts(there.data.cast::<u8>(), bytes.len()) };
        assert_eq!(seen, bytes);
        let back = Tensor::from_dlpack(&device, &managed)?;
        assert_eq!((back.dtype(), back.shape()), (dtype, tensor.shape()));
        assert_eq!(back.to_bytes()?, bytes);
    }
    let view = Tensor::from_slice(&device, &[1, 2, 3, 4, 5, 6], [2, 3])?.transpose(0, 1)?;
    let managed = view.to_dlpack_on_host()?;
    assert_eq!(Tensor::from_dlpack(&device, &managed)?.to_vec::<i32>()?, [1, 4, 2, 5, 3, 6]);
    let empty = Tensor::zeros(&device, [0, 3], DType::F32)?.to_dlpack_on_host()?;
    assert!(empty.tensor().data.is_null());
    assert_eq!(Tensor::from_dlpack(&device, &empty)?.numel(), 0);
    let error = Tensor::from_bytes(&device, DType::HiF8, &[1], [1])?.to_dlpack_on_host().unwrap_err();
    assert!(matches!(error, Error::Interop { with: "DLPack", .. }), "{error}");
    Ok(())
}

#[test]
fn the_older_form_in_both_directions() -> Outcome {
    let device = Device::open(0)?;
    let values = [f16::ONE, f16::NEG_ONE, f16::MAX];
    let raw = Tensor::from_slice(&device, &values, [3])?.to_dlpack_on_host()?.into_raw_unversioned()?;
    // SAFETY: just given away, so it is live.
    let strides = unsafe { std::slice::from_raw_parts(raw.as_ref().dl_tensor.strides, 1) };
    assert_eq!(strides, [1]);
    // SAFETY: as above; the deleter is called once, by who takes it here.
    let managed = unsafe { ManagedTensor::from_raw_unversioned(raw) };
    assert_eq!(managed.flags(), 0);
    assert_eq!(Tensor::from_dlpack(&device, &managed)?.to_vec::<f16>()?, values);

    let stream = Stream::new(&device)?;
    let raw = Tensor::from_slice(&stream, &values, [3])?.to_dlpack()?.into_raw_unversioned()?;
    // SAFETY: as above.
    drop(unsafe { ManagedTensor::from_raw_unversioned(raw) });
    Ok(stream.close()?)
}

#[test]
fn device_memory_is_shared() -> Outcome {
    let device = Device::open(0)?;
    let stream = Stream::new(&device)?;
    let grid = Tensor::from_slice(&stream, &[1, 2, 3, 4, 5, 6], [3, 2])?;
    let rows = grid.slice(0, 1..3)?;
    let managed = rows.to_dlpack()?;
    let there = *managed.tensor();
    assert_eq!(there.device, DLDevice { device_type: DLDeviceType::EXT_DEV, device_id: 0 });
    assert_eq!((there.data, there.byte_offset), (grid.as_raw(), 8));
    let layout = managed.layout()?;
    assert_eq!((&layout.shape()[..], layout.strides()), (&[2, 2][..], &[2, 1][..]));
    let turned = grid.transpose(0, 1)?.to_dlpack()?.layout()?;
    assert_eq!((&turned.shape()[..], turned.strides()), (&[2, 3][..], &[1, 2][..]));

    // What is written on either side is seen by the other.
    grid.slice(0, 2..3)?.fill_in_place(9)?;
    device.synchronize()?;
    // The copy gets memory that is still being written.
    drop(Tensor::full(&device, [4], 0, DType::I32)?);
    // SAFETY: memory of this device, whose work is done.
    let copy = unsafe { Tensor::from_dlpack_device(&device, &managed)? };
    assert_eq!(copy.to_vec::<i32>()?, [3, 4, 9, 9]);
    let from = [7i32, 8];
    let to = there.data.wrapping_byte_add(8);
    let kind = aclnn::sys::ACL_MEMCPY_HOST_TO_DEVICE;
    // SAFETY: eight bytes of the device, which nothing uses.
    let code =
        unsafe { device.backend().runtime().aclrtMemcpy(to, 8, from.as_ptr().cast::<c_void>(), 8, kind) };
    assert_eq!(code, Ok(0));
    assert_eq!(grid.to_vec::<i32>()?, [1, 2, 7, 8, 9, 9]);
    assert_eq!(copy.to_vec::<i32>()?, [3, 4, 9, 9], "a copy of its own");

    // The memory stays as long as the other side has it.
    drop((grid, rows));
    let other = Tensor::from_slice(&stream, &[0; 6], [3, 2])?;
    assert_ne!(other.as_raw(), there.data);
    let raw = managed.into_raw();
    // SAFETY: given away above.
    let managed = unsafe { ManagedTensor::from_raw(raw)? };
    // SAFETY: memory of this device, whose work is done.
    assert_eq!(unsafe { Tensor::from_dlpack_device(&device, &managed)? }.to_vec::<i32>()?, [7, 8, 9, 9]);
    Ok(())
}

#[test]
fn a_tensor_is_given_away_when_its_work_is_done() -> Outcome {
    let device = Device::open(0)?;
    let stream = Stream::new(&device)?;
    let a = Tensor::full(&device, [1 << 16], 2, DType::I32)?;
    let mut sum = ops::add(&a, 1).on(&stream).run()?;
    for _ in 0..3 {
        sum.mul_in_place(2)?;
    }
    let managed = sum.to_dlpack()?;
    let mut first = [0i32; 1];
    let (to, from) = (first.as_mut_ptr().cast::<c_void>(), managed.tensor().data);
    // SAFETY: four bytes on both sides; the work on them is done.
    let code = unsafe {
        device.backend().runtime().aclrtMemcpy(to, 4, from, 4, aclnn::sys::ACL_MEMCPY_DEVICE_TO_HOST)
    };
    assert_eq!(code, Ok(0));
    assert_eq!(first, [24]);
    Ok(())
}

#[test]
fn views_that_do_not_begin_or_lie_in_bytes() -> Outcome {
    let device = Device::open(0)?;
    let nibbles = Tensor::from_bytes(&device, DType::I4, &[0x21, 0x43], [4])?;
    assert_eq!(nibbles.slice(0, 2..4)?.to_dlpack()?.tensor().byte_offset, 1);
    let error = nibbles.slice(0, 1..3)?.to_dlpack().unwrap_err().to_string();
    assert!(error.contains("i4[2] begins within a byte; make a copy"), "{error}");
    let turned = Tensor::zeros(&device, [2, 3], DType::F32)?.transpose(0, 1)?.to_dlpack()?;
    // SAFETY: memory of this device, whose work is done.
    let error = unsafe { Tensor::from_dlpack_device(&device, &turned) }.unwrap_err().to_string();
    assert!(error.contains("f32[3, 2] does not lie in row-major order"), "{error}");
    let error = Tensor::from_dlpack(&device, &turned).unwrap_err().to_string();
    assert!(error.contains("type 12; copy it to the host there, or use from_dlpack_device"), "{error}");
    Ok(())
}

#[test]
fn owners_cross_threads() {
    fn both<T: Send + Sync>() {}
    both::<ManagedTensor>();
}

/// NumPy in a Python process that loads the example `dlpack_library`. Skipped where one of them is missing.
#[test]
fn numpy_takes_and_gives_tensors() -> Result<(), Box<dyn std::error::Error>> {
    let name = format!("{}dlpack_library{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    // The executables of tests lie in `deps`, beside `examples`.
    let library =
        std::env::current_exe()?.ancestors().nth(2).map(|target| target.join("examples").join(name));
    let Some(library) = library.filter(|library| library.is_file()) else {
        support::skipped("the example dlpack_library is not built");
        return Ok(());
    };
    let has_numpy = Command::new("python3").args(["-c", "import numpy; numpy.from_dlpack"]).output();
    if !has_numpy.is_ok_and(|output| output.status.success()) {
        support::skipped("there is no python3 with a NumPy that knows DLPack");
        return Ok(());
    }
    let script = support::root().join("examples/dlpack_numpy.py");
    let output = Command::new("python3").arg(script).arg(library).output()?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("numpy and aclnn agree"));
    Ok(())
}
