//! Memory of the host: where values lie, and the allocator that callers share.

use std::alloc::{Layout, alloc, dealloc};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr;
use std::sync::LazyLock;

use ort_sys::*;

use crate::entry::{Answer, Object, Refusal, entries, releases};

/// The alignment of all blocks, and the size of what lies before each: its own size.
const ALIGNMENT: usize = 64;

/// The memory in which a value lies.
#[derive(Clone, PartialEq)]
pub(crate) struct MemoryInfo {
    name: CString,
    id: c_int,
    allocator: OrtAllocatorType,
    memory: OrtMemType,
}

impl Object for OrtMemoryInfo {
    type Here = MemoryInfo;
}

impl MemoryInfo {
    fn cpu(allocator: OrtAllocatorType, memory: OrtMemType) -> MemoryInfo {
        MemoryInfo { name: c"Cpu".to_owned(), id: 0, allocator, memory }
    }

    /// Returns the memory of a device.
    #[cfg(feature = "api-31")]
    pub(crate) fn npu(id: i32) -> MemoryInfo {
        let (allocator, memory) = (OrtAllocatorType::OrtDeviceAllocator, OrtMemType::OrtMemTypeDefault);
        MemoryInfo { name: c"Cann".to_owned(), id, allocator, memory }
    }

    fn device(&self) -> OrtMemoryInfoDeviceType {
        match self.name.to_bytes() {
            b"Cpu" => OrtMemoryInfoDeviceType::OrtMemoryInfoDeviceType_CPU,
            b"Cann" | b"CannPinned" => OrtMemoryInfoDeviceType::OrtMemoryInfoDeviceType_NPU,
            _ => OrtMemoryInfoDeviceType::OrtMemoryInfoDeviceType_GPU,
        }
    }

    /// Checks that values may lie there: all of them lie in the memory of the host.
    pub(crate) fn check_host(&self) -> Answer<()> {
        match self.device() {
            OrtMemoryInfoDeviceType::OrtMemoryInfoDeviceType_CPU => Ok(()),
            _ => Err(Refusal::new(
                OrtErrorCode::ORT_NOT_IMPLEMENTED,
                format!(
                    "ort-aclnn has no memory of {:?}: inputs and outputs lie in memory of the CPU, and are copied to \
                     the NPU as they are needed",
                    self.name
                ),
            )),
        }
    }
}

/// The allocator that every caller gets. C sees its first field.
#[repr(C)]
struct Shared {
    c: OrtAllocator,
    info: MemoryInfo,
}

// SAFETY: nothing of it changes, and its functions keep no state.
unsafe impl Sync for Shared {}
// SAFETY: it belongs to no thread.
unsafe impl Send for Shared {}

static SHARED: LazyLock<Shared> = LazyLock::new(|| {
    // SAFETY: it is unsafe since its functions are missing; they follow.
    let mut c = unsafe { OrtAllocator::default() };
    c.Alloc = Some(allocate);
    c.Free = Some(free);
    c.Info = Some(info);
    c.Reserve = Some(reserve);
    Shared { c, info: MemoryInfo::cpu(OrtAllocatorType::OrtDeviceAllocator, OrtMemType::OrtMemTypeDefault) }
});

fn shared() -> *mut OrtAllocator {
    (&raw const *SHARED).cast_mut().cast()
}

/// Returns where all values lie.
pub(crate) fn host() -> *const OrtMemoryInfo {
    (&raw const SHARED.info).cast()
}

fn block(size: usize) -> Option<Layout> {
    Layout::from_size_align(size.checked_add(ALIGNMENT)?, ALIGNMENT).ok()
}

unsafe extern "system" fn allocate(_: *mut OrtAllocator, size: usize) -> *mut c_void {
    let Some(layout) = block(size) else { return ptr::null_mut() };
    // SAFETY: the size is not zero.
    let start = unsafe { alloc(layout) };
    if start.is_null() {
        return ptr::null_mut();
    }
    // SAFETY: the block begins with so many bytes for its size, and is aligned for it.
    unsafe {
        start.cast::<usize>().write(size);
        start.add(ALIGNMENT).cast()
    }
}

unsafe extern "system" fn reserve(_: *const OrtAllocator, size: usize) -> *mut c_void {
    // SAFETY: `allocate` asks nothing of its callers.
    unsafe { allocate(ptr::null_mut(), size) }
}

unsafe extern "system" fn free(_: *mut OrtAllocator, memory: *mut c_void) {
    if memory.is_null() {
        return;
    }
    // SAFETY: callers give back what `allocate` gave, before which the size lies.
    unsafe {
        let start = memory.cast::<u8>().sub(ALIGNMENT);
        if let Some(layout) = block(start.cast::<usize>().read()) {
            dealloc(start, layout);
        }
    }
}

unsafe extern "system" fn info(_: *const OrtAllocator) -> *const OrtMemoryInfo {
    host()
}

/// An allocator of a caller, to allocate what the caller will free.
pub(crate) struct Allocator(*mut OrtAllocator);

impl Allocator {
    pub(crate) fn of(pointer: *mut OrtAllocator) -> Answer<Allocator> {
        match pointer.is_null() {
            true => Err(Refusal::argument("the allocator is a null pointer")),
            false => Ok(Allocator(pointer)),
        }
    }

    fn bytes(&self, size: usize) -> Answer<*mut c_void> {
        // SAFETY: callers of the C interface give allocators that are valid for the call.
        let memory = unsafe { (*self.0).Alloc.map(|allocate| allocate(self.0, size)) };
        memory
            .filter(|memory| !memory.is_null())
            .ok_or_else(|| Refusal::new(OrtErrorCode::ORT_FAIL, format!("{size} bytes cannot be allocated")))
    }

    /// Allocates a list.
    pub(crate) fn list<T: Copy>(&self, elements: &[T]) -> Answer<*mut T> {
        let memory = self.bytes(size_of_val(elements))?.cast::<T>();
        if memory.is_aligned() {
            // SAFETY: there is room for so many elements.
            unsafe { memory.copy_from_nonoverlapping(elements.as_ptr(), elements.len()) };
            return Ok(memory);
        }
        self.free(memory.cast());
        Err(Refusal::argument("the allocator does not align memory"))
    }

    /// Allocates a text with the zero at its end.
    pub(crate) fn text(&self, text: &str) -> Answer<*mut c_char> {
        let bytes: Vec<u8> = text.bytes().chain([0]).collect();
        Ok(self.list(&bytes)?.cast())
    }

    /// Allocates a list of texts.
    pub(crate) fn texts<'a>(&self, texts: impl IntoIterator<Item = &'a str>) -> Answer<*mut *mut c_char> {
        let mut done = Vec::new();
        let made = texts.into_iter().try_for_each(|text| self.text(text).map(|text| done.push(text)));
        let list = made.and_then(|()| self.list(&done));
        if list.is_err() {
            done.into_iter().for_each(|text| self.free(text.cast()));
        }
        list
    }

    fn free(&self, memory: *mut c_void) {
        // SAFETY: as in `bytes`, which gave the memory.
        unsafe {
            if let Some(free) = (*self.0).Free {
                free(self.0, memory);
            }
        }
    }
}

/// Memory for the elements of a tensor, aligned for every type. Those who know where it starts may write to it.
pub(crate) struct Buffer {
    start: *mut u8,
    _memory: Memory,
}

enum Memory {
    Bytes { _bytes: Vec<u8> },
    Lines { _lines: Vec<Line> },
}

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line {
    _bytes: [u8; 64],
}

// SAFETY: the memory belongs to the buffer alone. Callers of the C interface order their accesses to a tensor.
unsafe impl Send for Buffer {}
// SAFETY: as above.
unsafe impl Sync for Buffer {}

impl Buffer {
    /// Returns a buffer of zeros.
    pub(crate) fn zeros(bytes: usize) -> Answer<Buffer> {
        let count = bytes.div_ceil(size_of::<Line>());
        let mut lines = Vec::new();
        lines.try_reserve_exact(count).map_err(|_| {
            Refusal::new(OrtErrorCode::ORT_FAIL, format!("{bytes} bytes cannot be allocated"))
        })?;
        lines.resize(count, Line { _bytes: [0; 64] });
        Ok(Buffer { start: lines.as_mut_ptr().cast(), _memory: Memory::Lines { _lines: lines } })
    }

    /// Returns a buffer with a copy of bytes.
    pub(crate) fn copy(bytes: &[u8]) -> Answer<Buffer> {
        let buffer = Buffer::zeros(bytes.len())?;
        // SAFETY: the new buffer has room for so many bytes.
        unsafe { buffer.start.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        Ok(buffer)
    }

    /// Returns a buffer of bytes, which are copied only if they are not aligned.
    pub(crate) fn of(mut bytes: Vec<u8>) -> Answer<Buffer> {
        // No element is larger than a complex number of two 64-bit floats.
        match bytes.as_ptr().align_offset(16) {
            0 => Ok(Buffer { start: bytes.as_mut_ptr(), _memory: Memory::Bytes { _bytes: bytes } }),
            _ => Buffer::copy(&bytes),
        }
    }

    pub(crate) fn start(&self) -> *mut c_void {
        self.start.cast()
    }
}

entries! {
    fn CreateMemoryInfo(
        name: *const c_char,
        allocator: OrtAllocatorType,
        id: c_int,
        memory: OrtMemType,
        out: *mut *mut OrtMemoryInfo,
    ) {
        let name = name.text()?.as_bytes().to_vec();
        let name = CString::new(name).unwrap_or_default();
        out.give(MemoryInfo { name, id, allocator, memory })
    }

    fn CreateCpuMemoryInfo(allocator: OrtAllocatorType, memory: OrtMemType, out: *mut *mut OrtMemoryInfo) {
        out.give(MemoryInfo::cpu(allocator, memory))
    }

    fn CompareMemoryInfo(one: *const OrtMemoryInfo, other: *const OrtMemoryInfo, out: *mut c_int) {
        out.set(c_int::from(one.here()? != other.here()?))
    }

    fn MemoryInfoGetName(info: *const OrtMemoryInfo, out: *mut *const c_char) {
        out.set(CStr::as_ptr(&info.here()?.name))
    }

    fn MemoryInfoGetId(info: *const OrtMemoryInfo, out: *mut c_int) {
        out.set(info.here()?.id)
    }

    fn MemoryInfoGetMemType(info: *const OrtMemoryInfo, out: *mut OrtMemType) {
        out.set(info.here()?.memory)
    }

    fn MemoryInfoGetType(info: *const OrtMemoryInfo, out: *mut OrtAllocatorType) {
        out.set(info.here()?.allocator)
    }

    fn GetAllocatorWithDefaultOptions(out: *mut *mut OrtAllocator) {
        out.set(shared())
    }

    fn CreateAllocator(_session: *const OrtSession, info: *const OrtMemoryInfo, out: *mut *mut OrtAllocator) {
        info.here()?.check_host()?;
        out.set(shared())
    }

    fn AllocatorAlloc(allocator: *mut OrtAllocator, size: usize, out: *mut *mut c_void) {
        out.set(Allocator::of(allocator.raw())?.bytes(size)?)
    }

    fn AllocatorFree(allocator: *mut OrtAllocator, memory: *mut c_void) {
        Allocator::of(allocator.raw())?.free(memory.raw());
        Ok(())
    }

    fn AllocatorGetInfo(allocator: *const OrtAllocator, out: *mut *const OrtMemoryInfo) {
        let Allocator(allocator) = Allocator::of(allocator.raw().cast_mut())?;
        // SAFETY: callers of the C interface give allocators that are valid for the call.
        let info = unsafe { (*allocator).Info.map(|info| info(allocator)) };
        out.set(info.unwrap_or_else(host))
    }
}

releases!(ReleaseMemoryInfo OrtMemoryInfo);

#[allow(non_snake_case)]
unsafe extern "system" fn ReleaseAllocator(_: *mut OrtAllocator) {}

#[allow(non_snake_case)]
unsafe extern "system" fn MemoryInfoGetDeviceType(
    info: *const OrtMemoryInfo,
    out: *mut OrtMemoryInfoDeviceType,
) {
    // SAFETY: callers of the C interface give an object that `give` made, and a pointer that is valid for writing.
    unsafe {
        if let (Some(info), Some(out)) = (info.cast::<MemoryInfo>().as_ref(), out.as_mut()) {
            *out = info.device();
        }
    }
}

#[cfg(feature = "api-31")]
#[allow(non_snake_case)]
unsafe extern "system" fn MemoryInfoGetDeviceMemType(_: *const OrtMemoryInfo) -> OrtDeviceMemoryType {
    OrtDeviceMemoryType::OrtDeviceMemoryType_DEFAULT
}

/// Puts the functions that return no status into the table.
pub(crate) fn serve_others(api: &mut OrtApi) {
    api.ReleaseAllocator = ReleaseAllocator;
    api.MemoryInfoGetDeviceType = MemoryInfoGetDeviceType;
    #[cfg(feature = "api-31")]
    {
        api.MemoryInfoGetDeviceMemType = MemoryInfoGetDeviceMemType;
    }
}
