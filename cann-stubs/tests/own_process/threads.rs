//! Kernels that several threads compute: the same bits for any number of them, and nobody waits for ever: not for each
//! other, not in the child of a fork, not at the end of the process.

use std::ffi::c_void;
use std::num::NonZero;
use std::ptr;
use std::thread;

use aclnn_numerics::DType::{self, BF16, F16, F32, I32};
use aclnn_sys::{ACL_FORMAT_NCHW, aclDataType};
use cann_stubs::control::{self, Level, ThreadsGuard};

use crate::support::child::{self, this_test};
use crate::support::runtime::{create_stream, finish, spawn};
use crate::support::*;

fn threads(count: usize) -> ThreadsGuard {
    control::threads_everywhere(NonZero::new(count).unwrap())
}

/// Device memory with bytes that look random, of small numbers in every type.
fn noise(len: usize) -> *mut c_void {
    let mut state = 7_u32;
    let bytes: Vec<u8> = (0..len)
        .map(|index| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // The last byte of a wide element holds its sign and exponent.
            if index % 2 == 1 { 0x38 | (state >> 24) as u8 & 0x83 } else { (state >> 16) as u8 }
        })
        .collect();
    let memory = malloc(len);
    write(memory, &bytes);
    memory
}

/// An operand: its type, and its strides over rows of so many columns.
type Operand = (DType, fn(i64) -> [i64; 2]);

const ROWS: fn(i64) -> [i64; 2] = |columns| [columns, 1];

/// Rows and columns of a square that is transposed as well.
const SIDE: i64 = 250;

const SUMS: [(Operand, Operand, DType); 7] = [
    ((F32, ROWS), (F32, ROWS), F32),
    ((F16, ROWS), (F32, ROWS), F32),
    ((BF16, ROWS), (BF16, ROWS), BF16),
    ((I32, ROWS), (F16, ROWS), F16),
    ((F32, |_| [1, 0]), (F32, |_| [0, 1]), F32),
    ((F32, ROWS), (F32, |_| [1, SIDE]), F32),
    ((F32, |columns| [2 * columns, 2]), (F16, |_| [0, 1]), F32),
];

/// A sum that may be launched again and again.
struct Sum {
    planned: Planned,
    workspace: *mut c_void,
    out: *mut c_void,
    bytes: usize,
}

impl Sum {
    fn new(a: Operand, b: Operand, out: DType, [rows, columns]: [i64; 2]) -> Sum {
        let count = (rows * columns) as usize;
        let operand = |(dtype, strides): Operand| {
            let strides = strides(columns);
            let storage = 1 + strides[0] * (rows - 1) + strides[1] * (columns - 1);
            let memory = noise(storage as usize * dtype.bits() / 8);
            strided(dtype, &[rows, columns], Some(&strides), 0, &[storage], memory)
        };
        let bytes = count * out.bits() / 8;
        let memory = malloc(bytes);
        let tensor = tensor(out, &[rows, columns], memory);
        let _cache = control::executor_cache(0);
        let (add, alpha) = (EMULATOR.operators.Add().unwrap(), scalar(1_i64));
        let planned = plan(|size, executor| {
            // SAFETY: the handles are live, the places valid.
            unsafe { add.get_workspace_size(operand(a), operand(b), alpha, tensor, size, executor) }
        });
        assert_eq!(planned.code, 0, "{}", planned.message);
        let workspace =
            if planned.workspace == 0 { ptr::null_mut() } else { malloc(planned.workspace as usize) };
        // SAFETY: the executor is live and was not launched.
        ok(unsafe { EMULATOR.meta.aclSetAclOpExecutorRepeatable(planned.executor) });
        Sum { planned, workspace, out: memory, bytes }
    }

    /// A sum of floats.
    fn plain() -> Sum {
        Sum::new((F32, ROWS), (F32, ROWS), F32, [3, 20_001])
    }

    /// The bytes of the result, in memory that held other bytes before.
    fn result(&self, stream: *mut c_void) -> Vec<u8> {
        write(self.out, &vec![0xa5_u8; self.bytes]);
        let add = EMULATOR.operators.Add().unwrap();
        let Planned { executor, workspace: size, .. } = self.planned;
        // SAFETY: the executor is live and has its workspace; the stream is live or the default one.
        unsafe {
            assert_eq!(add.launch(self.workspace, size, executor, stream), 0, "{}", message());
            ok(EMULATOR.runtime.aclrtSynchronizeStream(stream));
        }
        read(self.out, self.bytes)
    }
}

/// One thread is the reference: what it computes is compared with nested loops and golden vectors elsewhere.
#[test]
fn results_have_the_same_bits_for_any_number_of_threads() {
    child::with(this_test!(), &[], || {
        device();
        for (a, b, out) in SUMS {
            for dims in [[SIDE, SIDE], [3, 41], [1, 40_003]] {
                let transposed = b.1(0)[1] == SIDE;
                if transposed && dims != [SIDE, SIDE] {
                    continue;
                }
                let sum = Sum::new(a, b, out, dims);
                let one = {
                    let _threads = threads(1);
                    sum.result(ptr::null_mut())
                };
                for count in [2, 5] {
                    let _threads = threads(count);
                    for _ in 0..3 {
                        assert!(sum.result(ptr::null_mut()) == one, "{} + {} on {count} threads", a.0, b.0);
                    }
                }
                assert!(sum.result(ptr::null_mut()) == one, "{} + {} as the pool chooses", a.0, b.0);
            }
        }
    });
}

/// Rows that are longer than what one thread takes at once.
const ARRAY: [i64; 2] = [2, 66_001];

/// Reduces the rows of an array that lies in memory by the given strides, and returns the bytes of the results.
fn reduced(operator: &str, values: &[f32], strides: [i64; 2]) -> Vec<u8> {
    let last = strides.iter().zip(ARRAY).map(|(stride, size)| stride * (size - 1)).sum::<i64>();
    let mut storage = vec![0.0_f32; last as usize + 1];
    for (index, value) in values.iter().enumerate() {
        let (row, column) = (index as i64 / ARRAY[1], index as i64 % ARRAY[1]);
        storage[(row * strides[0] + column * strides[1]) as usize] = *value;
    }
    let [from, to, other] = [malloc(storage.len() * 4), malloc(16), malloc(16)];
    write(from, &storage);
    let own = strided(F32, &ARRAY, Some(&strides), 0, &[last + 1], from);
    let out = tensor(if operator == "ArgMax" { DType::I64 } else { F32 }, &ARRAY[..1], to);
    let second = tensor(F32, &ARRAY[..1], other);
    // SAFETY: the array has one element.
    let axes = unsafe { EMULATOR.meta.aclCreateIntArray(&1, 1) }.unwrap();
    let operators = &EMULATOR.operators;
    let (sum, var, arg) =
        (operators.ReduceSum().unwrap(), operators.VarMean().unwrap(), operators.ArgMax().unwrap());
    let _cache = control::executor_cache(0);
    // SAFETY: the handles are live, the places valid.
    let planned = plan(|size, executor| unsafe {
        match operator {
            "ReduceSum" => sum.get_workspace_size(own, axes, false, aclDataType(0), out, size, executor),
            "VarMean" => var.get_workspace_size(own, axes, 1, false, out, second, size, executor),
            _ => arg.get_workspace_size(own, 1, false, out, size, executor),
        }
    });
    assert_eq!(planned.code, 0, "{}", planned.message);
    let workspace = malloc(planned.workspace.max(1) as usize);
    let (size, executor, stream) = (planned.workspace, planned.executor, ptr::null_mut());
    // SAFETY: the executor is live and has its workspace.
    unsafe {
        let code = match operator {
            "ReduceSum" => sum.launch(workspace, size, executor, stream),
            "VarMean" => var.launch(workspace, size, executor, stream),
            _ => arg.launch(workspace, size, executor, stream),
        };
        assert_eq!(code, 0, "{}", message());
        ok(EMULATOR.runtime.aclrtSynchronizeStream(stream));
    }
    read(to, if operator == "ArgMax" { 16 } else { 8 })
}

/// The tree in which elements are added depends on their number alone.
#[test]
fn reductions_have_the_same_bits_for_any_number_of_threads_layout_and_instructions() {
    child::with(this_test!(), &[], || {
        device();
        let mut state = 5_u32;
        let values: Vec<f32> = (0..ARRAY[0] * ARRAY[1])
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 8) as f32 / 65_536.0 - 100.0
            })
            .collect();
        for operator in ["ReduceSum", "VarMean", "ArgMax"] {
            let expected = {
                let _threads = threads(1);
                let _loops = control::loops(0, NonZero::new(1024).unwrap());
                reduced(operator, &values, [ARRAY[1], 1])
            };
            for strides in [[ARRAY[1], 1], [1, 2], [2 * ARRAY[1], 2]] {
                for (count, instructions) in [(1, 3), (3, 1)] {
                    let _threads = threads(count);
                    let _loops = control::loops(instructions, NonZero::new(1024).unwrap());
                    assert!(
                        reduced(operator, &values, strides) == expected,
                        "{operator} of {strides:?}, {count} threads, instructions {instructions}"
                    );
                }
            }
        }
    });
}

/// Multiplies two matrices, the second one through a transposed view, and returns the bytes of the product.
fn multiplied((dtype, to_dtype): (DType, DType), [m, k, n]: [i64; 3]) -> Vec<u8> {
    let [size, size_of_result] = [dtype, to_dtype].map(|dtype| if dtype == F32 { 4 } else { 2 });
    let [left, right] = [m * k, k * n].map(|count| noise(count as usize * size));
    let to = malloc(m as usize * n as usize * size_of_result);
    let a = tensor(dtype, &[m, k], left);
    let b = strided(dtype, &[k, n], Some(&[1, k]), 0, &[k * n], right);
    let out = tensor(to_dtype, &[m, n], to);
    let multiply = EMULATOR.operators.Mm().unwrap();
    // SAFETY: handles of the emulator; null is the default stream.
    unsafe {
        let planned = plan(|size, executor| multiply.get_workspace_size(a, b, out, 0, size, executor));
        assert_eq!(planned.code, 0, "{}", planned.message);
        let workspace = malloc(planned.workspace.max(1) as usize);
        assert_eq!(multiply.launch(workspace, planned.workspace, planned.executor, ptr::null_mut()), 0);
        ok(EMULATOR.runtime.aclrtSynchronizeStream(ptr::null_mut()));
        let bytes = read(to, m as usize * n as usize * size_of_result);
        for memory in [left, right, to, workspace] {
            ok(EMULATOR.runtime.aclrtFree(memory));
        }
        bytes
    }
}

/// Products of several pieces. One thread is the reference, whose products golden cases check.
#[test]
fn products_of_matrices_have_the_same_bits_for_any_number_of_threads() {
    child::with(this_test!(), &[], || {
        device();
        for types in [(F32, F32), (F16, F32), (BF16, F32), (BF16, BF16)] {
            for sizes in [[1_100, 33, 40], [20, 1_050, 1_030], [3, 7, 2_100]] {
                let one = {
                    let _threads = threads(1);
                    multiplied(types, sizes)
                };
                assert!(one.iter().any(|byte| *byte != 0));
                for count in [2, 5] {
                    let _threads = threads(count);
                    assert!(multiplied(types, sizes) == one, "{types:?} {sizes:?} on {count} threads");
                }
            }
        }
    });
}

/// Convolves an image, plainly or transposed, and computes the gradients of that; returns the bytes of all results.
fn convolved(transposed: bool) -> Vec<u8> {
    let (image, map) = ([2, 40, 17, 33], [2, 6, 17, 33]);
    let (from, to) = if transposed { (map, image) } else { (image, map) };
    let weight = [6, 40, 3, 3];
    let memory = |dims: &[i64]| noise(4 * dims.iter().product::<i64>() as usize);
    let four = |dims: &[i64], memory| formatted(ACL_FORMAT_NCHW, F32, dims, None, 0, dims, memory);
    // Results begin with the same bytes in every run.
    let results: Vec<(&[i64], *mut c_void)> =
        [&to[..], &from, &weight].map(|dims| (dims, memory(dims))).to_vec();
    let (own, weights) = (four(&from, memory(&from)), four(&weight, memory(&weight)));
    let [out, of_own, of_weights] = [0, 1, 2].map(|number| four(results[number].0, results[number].1));
    let gradient = four(&to, memory(&to));
    let (one, mask) = ([1_i64, 1], [true, true, false]);
    // SAFETY: handles of the emulator, and arrays of the lengths that are passed; null is the default stream.
    unsafe {
        let ones = EMULATOR.meta.aclCreateIntArray(one.as_ptr(), 2).unwrap();
        let none = EMULATOR.meta.aclCreateIntArray([0_i64, 0].as_ptr(), 2).unwrap();
        let mask = EMULATOR.meta.aclCreateBoolArray(mask.as_ptr(), 3).unwrap();
        let operator = EMULATOR.operators.Convolution().unwrap();
        let planned = plan(|size, executor| {
            operator.get_workspace_size(
                own,
                weights,
                ptr::null(),
                ones,
                ones,
                ones,
                transposed,
                none,
                1,
                out,
                0,
                size,
                executor,
            )
        });
        assert_eq!(planned.code, 0, "{}", planned.message);
        assert_eq!(operator.launch(malloc(1), planned.workspace, planned.executor, ptr::null_mut()), 0);
        let operator = EMULATOR.operators.ConvolutionBackward().unwrap();
        let planned = plan(|size, executor| {
            operator.get_workspace_size(
                gradient,
                own,
                weights,
                ptr::null(),
                ones,
                ones,
                ones,
                transposed,
                none,
                1,
                mask,
                0,
                of_own,
                of_weights,
                ptr::null_mut(),
                size,
                executor,
            )
        });
        assert_eq!(planned.code, 0, "{}", planned.message);
        assert_eq!(operator.launch(malloc(1), planned.workspace, planned.executor, ptr::null_mut()), 0);
        ok(EMULATOR.runtime.aclrtSynchronizeStream(ptr::null_mut()));
    }
    let bytes =
        |(dims, memory): &(&[i64], *mut c_void)| read(*memory, 4 * dims.iter().product::<i64>() as usize);
    results.iter().flat_map(bytes).collect()
}

/// Convolutions of several blocks. One thread is the reference; golden cases check what it computes.
#[test]
fn convolutions_have_the_same_bits_for_any_number_of_threads() {
    child::with(this_test!(), &[], || {
        device();
        for transposed in [false, true] {
            let one = {
                let _threads = threads(1);
                convolved(transposed)
            };
            for count in [2, 5] {
                let _threads = threads(count);
                assert!(convolved(transposed) == one, "transposed {transposed} on {count} threads");
            }
        }
    });
}

/// Threads must not write the same elements at once, whatever the program makes of them.
#[test]
fn elements_that_share_memory_are_written_by_one_thread() {
    child::with(this_test!(), &[], || {
        device();
        let _check = control::check(Level::Off);
        let _threads = threads(4);
        let (rows, columns) = (400, 4096);
        let numbers: Vec<i32> = (0..rows * columns).collect();
        let (source, row) = (malloc(numbers.len() * 4), malloc(columns as usize * 4));
        write(source, &numbers);
        let dims = [i64::from(rows), i64::from(columns)];
        let from = tensor(I32, &dims, source);
        let to = strided(I32, &dims, Some(&[0, 1]), 0, &dims[1..], row);
        let copy = EMULATOR.operators.InplaceCopy().unwrap();
        for _ in 0..20 {
            // SAFETY: the handles are live, the places valid.
            let planned = plan(|size, executor| unsafe { copy.get_workspace_size(to, from, size, executor) });
            assert_eq!(planned.code, 0, "{}", planned.message);
            let workspace = malloc(planned.workspace.max(1) as usize);
            // SAFETY: the executor is live and has its workspace.
            unsafe {
                ok(Ok::<_, ()>(copy.launch(workspace, planned.workspace, planned.executor, ptr::null_mut())));
                ok(EMULATOR.runtime.aclrtSynchronizeStream(ptr::null_mut()));
            }
            assert!(read::<i32>(row, columns as usize) == numbers[numbers.len() - columns as usize..]);
        }
    });
}

#[test]
fn four_streams_launch_at_once() {
    child::with(this_test!(), &[], || {
        device();
        let _threads = threads(3);
        let expected = Sum::plain().result(ptr::null_mut());
        let streams: Vec<_> = (0..4)
            .map(|_| {
                let expected = expected.clone();
                spawn(move || {
                    device();
                    let (sum, stream) = (Sum::plain(), create_stream());
                    (0..20).all(|_| sum.result(stream) == expected)
                })
            })
            .collect();
        assert!(streams.iter().all(finish));
    });
}

#[test]
fn the_child_of_a_fork_computes() {
    child::with(this_test!(), &[], || {
        device();
        let _threads = threads(2);
        let sum = Sum::plain();
        let expected = sum.result(ptr::null_mut());
        for _ in 0..20 {
            assert!(sum.result(ptr::null_mut()) == expected);
            // SAFETY: the child computes, allocates and ends; no other thread holds a lock of the allocator, as the helpers
            // of the emulator sleep or yield.
            let child = unsafe { libc::fork() };
            if child == 0 {
                // SAFETY: the signal ends a child that hangs.
                unsafe { libc::alarm(60) };
                let same = (0..3).all(|_| sum.result(ptr::null_mut()) == expected);
                // SAFETY: ends this process at once.
                unsafe { libc::_exit(if same { 0 } else { 1 }) };
            }
            let mut status = -1;
            // SAFETY: the place is valid.
            assert_eq!(unsafe { libc::waitpid(child, &mut status, 0) }, child);
            assert_eq!(status, 0, "the child of the fork hung or computed something else");
        }
    });
}

#[test]
fn a_process_ends_while_threads_compute() {
    for pause in ["0", "3"] {
        let body = || {
            device();
            let guard = threads(2);
            let (sender, computed) = std::sync::mpsc::channel();
            thread::spawn(move || {
                device();
                let sum = Sum::plain();
                loop {
                    sum.result(ptr::null_mut());
                    let _ = sender.send(());
                }
            });
            (0..3).for_each(|_| computed.recv().unwrap());
            thread::sleep(std::time::Duration::from_millis(pause.parse().unwrap()));
            drop(guard);
            std::process::exit(7);
        };
        let Some(output) = child::run(this_test!(), &[("PAUSE", pause)], body) else { continue };
        assert_eq!(output.status.code(), Some(7), "{}", String::from_utf8_lossy(&output.stderr));
    }
}
