//! Copies and sums over layouts of every kind, compared with nested loops over the same bytes: which loop a kernel takes
//! depends on strides, on the lengths of runs, on the width of elements and on where they begin.

use std::ffi::c_void;
use std::num::NonZero;
use std::ptr;

use crate::support::*;
use aclnn_numerics::DType::{self, *};
use aclnn_sys::*;
use cann_stubs::control;

/// Sizes and strides, in elements, and the first element.
#[derive(Clone, Debug)]
struct Layout {
    dims: Vec<i64>,
    strides: Vec<i64>,
    offset: i64,
}

impl Layout {
    fn new(dims: &[i64], strides: &[i64], offset: i64) -> Self {
        Self { dims: dims.to_vec(), strides: strides.to_vec(), offset }
    }

    fn contiguous(dims: &[i64]) -> Self {
        Self::permuted(dims, &(0..dims.len()).rev().collect::<Vec<_>>(), [1, 0], 0)
    }

    /// Axes in this order from the innermost in memory to the outermost; neighbours of the innermost are `gaps[0]` apart,
    /// and `gaps[1]` elements lie between its rows.
    fn permuted(dims: &[i64], order: &[usize], gaps: [i64; 2], offset: i64) -> Self {
        let (mut strides, mut next) = (vec![0; dims.len()], gaps[0]);
        for (number, &axis) in order.iter().enumerate() {
            strides[axis] = next;
            next = next * dims[axis].max(1) + if number == 0 { gaps[1] } else { 0 };
        }
        Self::new(dims, &strides, offset)
    }

    /// The places of the elements in the storage, row by row.
    fn places(&self) -> Vec<usize> {
        let mut places = vec![self.offset as usize];
        for (size, stride) in self.dims.iter().zip(&self.strides) {
            let mut next = Vec::with_capacity(places.len() * *size as usize);
            for place in places {
                next.extend((0..*size).map(|index| place.wrapping_add_signed((index * stride) as isize)));
            }
            places = next;
        }
        places
    }

    /// Elements of a storage with some room behind the last element.
    fn storage(&self) -> usize {
        let reach = |(size, stride): (&i64, &i64)| (stride * (size - 1)).max(0);
        (self.offset + self.dims.iter().zip(&self.strides).map(reach).sum::<i64>()) as usize + 4
    }

    fn tensor(&self, dtype: DType, memory: *mut c_void) -> *mut aclTensor {
        strided(dtype, &self.dims, Some(&self.strides), self.offset, &[self.storage() as i64], memory)
    }
}

/// Layouts that an input may have, by their sizes; every kind of loop is among them.
fn inputs() -> Vec<Layout> {
    let mut layouts = vec![
        Layout::new(&[], &[], 1),
        Layout::new(&[0, 5], &[5, 1], 0),
        Layout::new(&[1], &[7], 3),
        Layout::new(&[1, 1, 7], &[9, 1, 1], 1),
        // Repeated: one element, columns, rows, a middle axis, short rows.
        Layout::new(&[5000], &[0], 1),
        Layout::new(&[20, 700], &[1, 0], 1),
        Layout::new(&[20, 700], &[0, 1], 1),
        Layout::new(&[5, 6, 150], &[150, 0, 1], 1),
        Layout::new(&[900, 3], &[0, 1], 1),
        Layout::new(&[900, 1], &[1, 1], 1),
        // At a distance, a row at a time and in one run.
        Layout::new(&[3000], &[2], 1),
        Layout::new(&[3000], &[3], 1),
        Layout::new(&[20, 200], &[450, 2], 1),
        Layout::new(&[20, 200], &[205, 1], 1),
        // Backwards.
        Layout::new(&[3000], &[-1], 2999),
        Layout::new(&[20, 200], &[-200, -1], 3999),
        Layout::new(&[20, 200], &[-450, -2], 19 * 450 + 199 * 2),
        Layout::new(&[70, 80], &[1, -70], 79 * 70),
    ];
    // Transposed: less and more than a tile, both ways, planes, and rows that are short.
    for dims in [[10, 10], [65, 130], [400, 130], [130, 400], [20, 600], [600, 20], [3, 2000], [2000, 3]] {
        layouts.push(Layout::permuted(&dims, &[0, 1], [1, 0], 1));
        layouts.push(Layout::permuted(&dims, &[0, 1], [1, 7], 1));
    }
    for order in [[1, 2, 0], [2, 0, 1], [0, 1, 2], [1, 0, 2]] {
        layouts.push(Layout::permuted(&[3, 40, 120], &order, [1, 0], 1));
        layouts.push(Layout::permuted(&[64, 3, 70], &order, [1, 1], 1));
    }
    layouts
}

/// Layouts that an output of these sizes may have.
fn outputs(dims: &[i64]) -> Vec<Layout> {
    let inwards: Vec<_> = (0..dims.len()).rev().collect();
    let outwards: Vec<_> = (0..dims.len()).collect();
    vec![
        Layout::permuted(dims, &inwards, [1, 0], 0),
        Layout::permuted(dims, &inwards, [1, 0], 1),
        Layout::permuted(dims, &inwards, [1, 5], 1),
        Layout::permuted(dims, &inwards, [2, 0], 1),
        Layout::permuted(dims, &outwards, [1, 0], 1),
    ]
}

/// Bytes that no short shift leaves as they are.
fn bytes(count: usize, seed: u32) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    let piece: Vec<u8> = (0..count.min(8191)).map(|_| next()).collect();
    let mut bytes = piece.repeat(count.div_ceil(8191));
    bytes.truncate(count);
    bytes
}

fn on_device(bytes: &[u8]) -> *mut c_void {
    let memory = malloc(bytes.len());
    write(memory, bytes);
    memory
}

fn release(tensors: &[*mut aclTensor], memories: &[*mut c_void]) {
    // SAFETY: nothing uses them any more.
    unsafe {
        tensors.iter().for_each(|tensor| ok(EMULATOR.meta.aclDestroyTensor(*tensor)));
        memories
            .iter()
            .filter(|memory| !memory.is_null())
            .for_each(|memory| ok(EMULATOR.runtime.aclrtFree(*memory)));
    }
}

/// Runs phase two of what `planned` is of, and waits.
macro_rules! launch {
    ($operator:ident($($argument:expr),*)) => {{
        let operator = EMULATOR.operators.$operator().expect("declared");
        // SAFETY: the handles are live, the places valid.
        let planned = plan(|size, executor| unsafe { operator.get_workspace_size($($argument,)* size, executor) });
        assert_eq!(planned.code, 0, "{}", planned.message);
        let workspace = if planned.workspace > 0 { malloc(planned.workspace as usize) } else { ptr::null_mut() };
        // SAFETY: the executor is live, the workspace as large as it asked for.
        let code = unsafe { operator.launch(workspace, planned.workspace, planned.executor, ptr::null_mut()) };
        assert_eq!(code, 0, "{}", message());
        // SAFETY: null is the default stream.
        ok(unsafe { EMULATOR.runtime.aclrtSynchronizeStream(ptr::null_mut()) });
        release(&[], &[workspace]);
    }};
}

/// Copies in every one of `types` and compares with a loop.
fn check_copies(types: &[DType], from: &Layout, to: &Layout) {
    let places: Vec<_> = from.places().into_iter().zip(to.places()).collect();
    types.iter().for_each(|dtype| check_copy(*dtype, from, to, &places));
}

fn check_copy(dtype: DType, from: &Layout, to: &Layout, places: &[(usize, usize)]) {
    let size = dtype.bits() / 8;
    let (source, mut expected) = (bytes(from.storage() * size, 1), bytes(to.storage() * size, 2));
    let memories = [&source, &expected].map(|bytes| on_device(bytes));
    let tensors = [from.tensor(dtype, memories[0]), to.tensor(dtype, memories[1])];
    launch!(InplaceCopy(tensors[1], tensors[0]));
    for (from, to) in places {
        expected[to * size..][..size].copy_from_slice(&source[from * size..][..size]);
    }
    let got = read::<u8>(memories[1], expected.len());
    if got != expected {
        let differ = got.iter().zip(&expected).position(|(got, expected)| got != expected);
        panic!("byte {differ:?} differs, of {dtype} from {from:?} to {to:?}");
    }
    release(&tensors, &memories);
}

#[test]
fn copies_of_every_layout_and_width() {
    let _device = Device::set();
    for from in inputs() {
        for to in outputs(&from.dims) {
            check_copies(&[I8, I16, F32, C64, C128], &from, &to);
        }
    }
}

/// Large enough for several threads.
#[test]
fn copies_that_threads_share() {
    let _device = Device::set();
    let dims = [530, 500];
    let layouts = [
        Layout::contiguous(&dims),
        Layout::new(&dims, &[1, 0], 1),
        Layout::new(&dims, &[0, 1], 1),
        Layout::new(&dims, &[1000, 2], 1),
        Layout::permuted(&dims, &[0, 1], [1, 3], 1),
    ];
    for from in &layouts {
        for to in outputs(&dims) {
            check_copies(&[F32], from, &to);
        }
    }
}

/// Adds tensors of i32 and compares with the sum of the same elements; in place, the output is the first operand.
fn check_sum(a: &Layout, b: &Layout, out: Option<&Layout>) {
    let numbers = |layout: &Layout, seed| {
        let bytes = bytes(layout.storage() * 4, seed);
        bytes.chunks_exact(4).map(|four| i32::from_ne_bytes(four.try_into().unwrap())).collect::<Vec<_>>()
    };
    let (first, second) = (numbers(a, 1), numbers(b, 2));
    let mut expected = out.map_or_else(|| first.clone(), |out| numbers(out, 3));
    let mut memories = vec![malloc(first.len() * 4), malloc(second.len() * 4)];
    write(memories[0], &first);
    write(memories[1], &second);
    let mut tensors = vec![a.tensor(I32, memories[0]), b.tensor(I32, memories[1])];
    let one = scalar(1_i32);
    if let Some(out) = out {
        let memory = malloc(expected.len() * 4);
        write(memory, &expected);
        memories.push(memory);
        tensors.push(out.tensor(I32, memory));
        launch!(Add(tensors[0], tensors[1], one, tensors[2]));
    } else {
        launch!(InplaceAdd(tensors[0], tensors[1], one));
    }
    let places = a.places().into_iter().zip(b.places()).zip(out.unwrap_or(a).places());
    places.for_each(|((a, b), out)| expected[out] = first[a].wrapping_add(second[b]));
    let got = read::<i32>(memories[if out.is_some() { 2 } else { 0 }], expected.len());
    let differ = got.iter().zip(&expected).position(|(got, expected)| got != expected);
    assert_eq!(differ, None, "the element that differs, of {a:?} and {b:?} to {out:?}");
    release(&tensors, &memories);
}

#[test]
fn sums_of_operands_of_different_layouts() {
    let _device = Device::set();
    for dims in [[65, 130], [30, 1100], [2000, 3], [3, 2000], [40, 20], [300, 257], [530, 500]] {
        let plain = Layout::contiguous(&dims);
        let turned = Layout::permuted(&dims, &[0, 1], [1, 0], 1);
        let padded = Layout::permuted(&dims, &[0, 1], [1, 9], 3);
        let others = [
            Layout::new(&dims, &[1, 0], 1),
            Layout::new(&dims, &[0, 1], 1),
            Layout::new(&dims, &[2 * dims[1], 2], 1),
            plain.clone(),
            turned.clone(),
            padded.clone(),
        ];
        // Of those that threads share, one.
        let others = if dims[0] == 530 { &others[5..] } else { &others };
        for other in others {
            for first in [&plain, &turned, &padded] {
                check_sum(first, other, Some(&plain));
                check_sum(other, first, Some(&turned));
                // In place on every kind of view, a transposed one among them.
                check_sum(first, other, None);
            }
        }
    }
}

/// So many bytes that results are written past the caches, also where they do not begin with a line of the caches.
#[test]
fn sums_that_the_caches_do_not_hold() {
    let _device = Device::set();
    let dims = [1060, 1050];
    let plain = Layout::contiguous(&dims);
    let behind_others = Layout::permuted(&dims, &[1, 0], [1, 0], 3);
    for other in [
        plain.clone(),
        Layout::new(&dims, &[0, 1], 1),
        Layout::new(&dims, &[2 * dims[1], 2], 1),
        Layout::permuted(&dims, &[0, 1], [1, 0], 1),
        Layout::permuted(&dims, &[1, 0], [1, 9], 3),
    ] {
        check_sum(&plain, &other, Some(&plain));
        check_sum(&other, &plain, Some(&behind_others));
    }
    check_sum(&plain, &Layout::permuted(&dims, &[0, 1], [1, 0], 1), None);
}

#[test]
fn copies_of_reversed_rows_that_the_caches_do_not_hold() {
    let _device = Device::set();
    let dims = [1050, 2001];
    let plain = Layout::contiguous(&dims);
    check_copies(&[I16, F32], &Layout::new(&dims, &[2001, -1], 2000), &plain);
    check_copies(&[F32], &Layout::new(&dims, &[-2007, -1], 2007 * 1050 - 1), &plain);
}

/// The bytes of a sum.
fn sum(a: (DType, &Layout), b: (DType, &Layout), out: (DType, &Layout)) -> Vec<u8> {
    let size = |dtype: DType| dtype.bits() / 8;
    let storage = |(dtype, layout): (DType, &Layout), seed| bytes(layout.storage() * size(dtype), seed);
    let contents = [storage(a, 1), storage(b, 2), storage(out, 3)];
    let memories = contents.each_ref().map(|bytes| on_device(bytes));
    let tensors =
        [a.1.tensor(a.0, memories[0]), b.1.tensor(b.0, memories[1]), out.1.tensor(out.0, memories[2])];
    let one = scalar(1_i32);
    launch!(Add(tensors[0], tensors[1], one, tensors[2]));
    let result = read(memories[2], contents[2].len());
    release(&tensors, &memories);
    result
}

/// Pairs with a loop of their own and pairs without one. What is compared with is computed without special instructions, for
/// which other tests have their references.
#[test]
fn sums_have_the_same_bits_for_any_instructions_and_blocks() {
    let _device = Device::set();
    let _cache = control::executor_cache(0);
    // Both results are computed as one plane, where that is not chosen otherwise.
    for dims in [[65, 130], [9, 45]] {
        compare_sums(dims);
    }
}

fn compare_sums(dims: [i64; 2]) {
    let plain = Layout::contiguous(&dims);
    let layouts = [
        plain.clone(),
        Layout::new(&dims, &[1, 0], 1),
        Layout::new(&dims, &[0, 1], 1),
        Layout::new(&dims, &[2 * dims[1], 2], 1),
        Layout::permuted(&dims, &[0, 1], [1, 0], 1),
        Layout::permuted(&dims, &[1, 0], [1, 9], 3),
    ];
    let pairs = [
        (F32, F32, F32),
        (F16, F32, F32),
        (F32, BF16, F32),
        (F16, BF16, F32),
        (F32, I32, F32),
        (F16, F16, F16),
        (I32, F16, F16),
        (BF16, BF16, BF16),
        (I8, U8, I16),
        (I64, F32, F32),
        (F16, F16, F32),
        (F64, F32, F64),
        (I32, I32, I32),
        (C64, F16, C64),
    ];
    for (a, b, out) in pairs {
        for layout in &layouts {
            let results = |instructions, block| {
                let _loops = control::loops(instructions, NonZero::new(block).unwrap());
                let transposed = Layout::permuted(&dims, &[0, 1], [1, 2], 0);
                [
                    sum((a, &plain), (b, layout), (out, &plain)),
                    sum((a, layout), (b, &plain), (out, &transposed)),
                ]
            };
            let expected = results(0, 1024);
            for (instructions, block) in
                [(0, 1), (0, 33), (1, 1024), (1, 7), (2, 1024), (2, 64), (3, 1024), (3, 5)]
            {
                assert!(
                    results(instructions, block) == expected,
                    "{a} + {b} of {layout:?}, instructions {instructions}, blocks of {block}"
                );
            }
            let [to_plain, _] = expected;
            assert!(
                sum((a, &plain), (b, layout), (out, &plain)) == to_plain,
                "{a} + {b} of {layout:?}, no choice"
            );
        }
    }
}
