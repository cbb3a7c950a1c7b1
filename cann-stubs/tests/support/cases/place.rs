//! Tensors of a case in device memory, and how their elements are compared.

use std::ops::Range;

use super::*;

/// A tensor in device memory.
pub(super) struct Place<'a> {
    memory: *mut c_void,
    pub(super) tensor: *mut aclTensor,
    before: Vec<u8>,
    /// Where the tensor lies in the storage, as runs of elements that are neighbours in both.
    runs: Runs,
    expected: Option<(&'a Elements, f32)>,
    /// Whether the sizes of the tensor are those that are expected once it is computed.
    is_sized: bool,
    /// Whether a list destroys the tensor.
    pub(super) is_in_list: bool,
}

/// How a tensor lies in memory.
struct Memory {
    /// Elements before the first one, and behind the last.
    first: i64,
    /// The axes from the innermost to the outermost.
    order: Vec<usize>,
    /// From an element to its neighbour.
    gap: i64,
    backwards: Vec<bool>,
}

impl Memory {
    fn of(layout: Layout, rank: usize) -> Self {
        let forwards = vec![false; rank];
        match layout {
            Layout::Contiguous => {
                Memory { first: 0, order: (0..rank).rev().collect(), gap: 1, backwards: forwards }
            }
            Layout::Gaps => Memory { first: 3, order: (0..rank).collect(), gap: 2, backwards: forwards },
            Layout::Scattered(seed) => {
                let mut random = Random(seed);
                let mut order: Vec<usize> = (0..rank).rev().collect();
                if random.below(2) == 0 {
                    (1..rank).rev().for_each(|axis| order.swap(axis, random.below(axis + 1)));
                }
                let backwards = (0..rank).map(|_| random.below(6) == 0).collect();
                Memory {
                    first: random.below(4) as i64,
                    order,
                    gap: [1, 1, 1, 2, 3][random.below(5)],
                    backwards,
                }
            }
        }
    }
}

/// Where the elements of a tensor lie in its storage. Tests are not optimized: the elements that are neighbours in both are
/// copied and compared at once.
struct Runs {
    /// The element of the storage at which each run begins.
    starts: Vec<i64>,
    /// Elements of a run.
    len: i64,
}

impl Runs {
    fn of(dims: &[i64], strides: &[i64], first: i64) -> Self {
        let mut len = 1;
        let mut outer = dims.len();
        while outer > 0 && (strides[outer - 1] == len || dims[outer - 1] == 1) {
            outer -= 1;
            len *= dims[outer];
        }
        let mut starts = vec![first];
        for (dim, stride) in dims[..outer].iter().zip(strides) {
            starts =
                starts.iter().flat_map(|start| (0..*dim).map(move |step| start + step * stride)).collect();
        }
        Runs { starts, len }
    }

    /// Returns the place behind the last element, if there is an element.
    fn end(&self) -> Option<i64> {
        self.starts.iter().max().map(|start| start + self.len).filter(|_| self.len > 0)
    }

    /// Calls a function with each run of the bytes of elements: where it lies among them, and in the storage.
    fn for_each(&self, elements: &Elements, mut run: impl FnMut(Range<usize>, Range<usize>)) {
        let size = elements.size();
        let bytes = self.len as usize * size;
        for (number, start) in self.starts.iter().enumerate() {
            let (own, place) = (number * bytes, *start as usize * size);
            // A case of a refusal may have no bytes, and one of a place that is too large has fewer.
            let len = bytes.min(elements.bytes.len().saturating_sub(own));
            if len > 0 {
                run(own..own + len, place..place + len);
            }
        }
    }
}

impl<'a> Place<'a> {
    pub(super) fn new(elements: &Elements, layout: Layout) -> Self {
        Self::spread(elements, &elements.dims, layout)
    }

    pub(super) fn spread(elements: &Elements, shown: &[i64], layout: Layout) -> Self {
        let Elements { dtype, dims, format, .. } = elements;
        let Memory { mut first, order, gap, backwards } = Memory::of(layout, dims.len());
        let around = first;
        let mut strides = vec![0; dims.len()];
        let mut stride = gap;
        for axis in order {
            strides[axis] = stride;
            stride *= dims[axis].max(1);
            if backwards[axis] && dims[axis] > 0 {
                first += strides[axis] * (dims[axis] - 1);
                strides[axis] = -strides[axis];
            }
        }
        let size = elements.size();
        let runs = Runs::of(dims, &strides, first);
        let stored = runs.end().unwrap_or(around) + around;
        let mut before = vec![UNTOUCHED; stored as usize * size];
        runs.for_each(elements, |own, place| before[place].copy_from_slice(&elements.bytes[own]));
        let memory = malloc(before.len().max(1));
        write(memory, &before);
        for (stride, _) in
            strides.iter_mut().zip(dims.iter().zip(shown)).filter(|(_, (own, shown))| own != shown)
        {
            *stride = 0;
        }
        let tensor = formatted(*format, *dtype, shown, Some(&strides), first, &[stored], memory);
        Place { memory, tensor, before, runs, expected: None, is_sized: false, is_in_list: false }
    }

    pub(super) fn expecting(mut self, expected: &'a Elements, ulps: f32) -> Self {
        self.expected = Some((expected, ulps));
        self
    }

    pub(super) fn expecting_to_be_sized(mut self, expected: &'a Elements) -> Self {
        self.expected = Some((expected, 0.0));
        self.is_sized = true;
        self
    }

    /// Compares the sizes of the tensor.
    fn check_sizes(&self, expected: &[i64]) -> Result<(), String> {
        let (mut values, mut count) = (ptr::null_mut(), 0);
        // SAFETY: the tensor is live, and the places are valid.
        let code = unsafe { EMULATOR.meta.aclGetViewShape(self.tensor, &mut values, &mut count) };
        ok(code);
        // SAFETY: the call wrote an array of so many numbers, which the test program keeps.
        let sizes = unsafe { std::slice::from_raw_parts(values, count as usize) };
        if sizes == expected { Ok(()) } else { Err(format!("the sizes are {sizes:?}, not {expected:?}")) }
    }

    /// Checks the whole storage: inputs and gaps keep their bytes, as does everything after a refusal.
    pub(super) fn check(&self, expects_nothing: bool) -> Result<(), String> {
        let mut storage = read::<u8>(self.memory, self.before.len());
        if let (Some((expected, ulps)), false) = (self.expected, expects_nothing) {
            if self.is_sized {
                self.check_sizes(&expected.dims)?;
                // What is behind the result, nobody reads.
                let end = expected.bytes.len();
                storage[end..].copy_from_slice(&self.before[end..]);
            }
            let mut compared = Ok(());
            self.runs.for_each(expected, |own, place| {
                if compared.is_ok() {
                    compared = compare(expected, own, &storage[place.clone()], ulps);
                }
                storage[place.clone()].copy_from_slice(&self.before[place]);
            });
            compared?;
        }
        if storage == self.before { Ok(()) } else { Err("bytes beside the results are changed".to_owned()) }
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        // SAFETY: both are live and not used again.
        unsafe {
            if !self.is_in_list {
                let _ = EMULATOR.meta.aclDestroyTensor(self.tensor);
            }
            let _ = EMULATOR.runtime.aclrtFree(self.memory);
        }
    }
}

/// Compares a run of elements; anything will do where the error may be infinite.
fn compare(expected: &Elements, run: Range<usize>, got: &[u8], ulps: f32) -> Result<(), String> {
    let wanted = &expected.bytes[run.clone()];
    if ulps.is_infinite() || got == wanted {
        return Ok(());
    }
    let (dtype, size) = (expected.dtype, expected.size());
    for (number, (got, wanted)) in got.chunks(size).zip(wanted.chunks(size)).enumerate() {
        if !near(dtype, got, wanted, ulps) {
            let (index, got, wanted) = (run.start / size + number, show(dtype, got), show(dtype, wanted));
            return Err(format!("element {index} is {got}, not {wanted} within {ulps} ulps"));
        }
    }
    Ok(())
}

/// Whether two elements differ by at most so many units of the last place, of a complex number those of the greater part; by
/// at most the magnitude of a negative number.
fn near(dtype: DType, got: &[u8], expected: &[u8], ulps: f32) -> bool {
    if same(dtype, got, expected) {
        return true;
    }
    let (part, digits) = match dtype {
        DType::F32 | DType::C64 => (DType::F32, 24),
        DType::F64 | DType::C128 => (DType::F64, 53),
        DType::F16 => (DType::F16, 11),
        DType::BF16 => (DType::BF16, 8),
        _ => return false,
    };
    let smallest: f64 = match part {
        DType::F32 | DType::BF16 => f64::from_bits(1) * 0.0 + 2f64.powi(-126),
        DType::F16 => 2f64.powi(-14),
        _ => f64::MIN_POSITIVE,
    };
    let wide =
        |bytes: &[u8]| -> Vec<f64> { bytes.chunks(part.bits() / 8).map(|one| widened(part, one)).collect() };
    let (got, expected) = (wide(got), wide(expected));
    let largest = expected.iter().fold(smallest, |largest: f64, one| largest.max(one.abs()));
    let unit = 2f64.powi(largest.log2().floor() as i32 - (digits - 1));
    let most = if ulps < 0.0 { -f64::from(ulps) } else { f64::from(ulps) * unit };
    got.iter().zip(&expected).all(|(got, expected)| {
        got == expected
            || got.is_nan() && expected.is_nan()
            || got.is_finite() && expected.is_finite() && (got - expected).abs() <= most
    })
}

fn widened(dtype: DType, bytes: &[u8]) -> f64 {
    use aclnn_numerics::{Element, bf16, f16};
    match dtype {
        DType::F32 => f32::from_bytes(bytes)[0].into(),
        DType::F16 => f16::from_bytes(bytes)[0].into(),
        DType::BF16 => bf16::from_bytes(bytes)[0].into(),
        _ => f64::from_bytes(bytes)[0],
    }
}
