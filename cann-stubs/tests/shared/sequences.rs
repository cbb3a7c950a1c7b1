//! Rows of calls as programs make them, without a look at what is computed in between: `xtask/golden/sequences.py` wrote them,
//! and what PyTorch computes. Random numbers have their moments instead, and come back with their seed.

use std::ffi::c_void;
use std::io::Read;
use std::ptr;

use aclnn_numerics::DType::{self, F32, I64, U8};
use aclnn_sys::operators::Argument as Passed;
use aclnn_sys::{aclDataType, aclTensor};

use crate::support::cases::{Argument, Elements, call};
use crate::support::golden::{Reader, show};
use crate::support::*;

/// A program, with the tensors that its calls share.
struct Program {
    name: String,
    slots: Vec<Slot>,
    calls: Vec<Call>,
    /// The number of a tensor, how far its elements may be off relatively and absolutely, and what they are at the end.
    ends: Vec<(usize, [f64; 2], Elements)>,
}

/// A tensor in device memory.
struct Slot {
    elements: Elements,
    memory: *mut c_void,
    tensor: *mut aclTensor,
}

struct Call {
    operator: String,
    /// Whether the program waits for the result.
    waits: bool,
    arguments: Vec<Given>,
}

enum Given {
    Slot(usize, Option<View>),
    List(Vec<Given>),
    Other(Argument),
}

/// Sizes and strides, and the first element.
struct View {
    dims: Vec<i64>,
    strides: Vec<i64>,
    offset: i64,
}

fn number<const N: usize>(file: &mut Reader<'_>) -> [u8; N] {
    file.bytes(N).try_into().expect("so many bytes")
}

fn count(file: &mut Reader<'_>) -> usize {
    u16::from_le_bytes(number(file)).into()
}

fn text(file: &mut Reader<'_>) -> String {
    let len = file.byte().into();
    String::from_utf8(file.bytes(len).to_vec()).expect("a name")
}

impl Program {
    fn read(file: &mut Reader<'_>) -> Self {
        let name = text(file);
        let slots = (0..count(file)).map(|_| Slot::read(file)).collect();
        let calls = (0..count(file)).map(|_| Call::read(file)).collect();
        let ends = (0..count(file)).map(|_| {
            let slot = count(file);
            let near = [(); 2].map(|()| f64::from_le_bytes(number(file)));
            (slot, near, Elements::described(file).filled(file))
        });
        let ends = ends.collect();
        Self { name, slots, calls, ends }
    }

    fn run(&self) {
        for (number, one) in self.calls.iter().enumerate() {
            let arguments: Vec<Passed> = one.arguments.iter().map(|given| given.pass(&self.slots)).collect();
            queue(&format!("{}, call {number}", self.name), &one.operator, &arguments);
            if one.waits {
                wait();
            }
        }
        wait();
        for (number, near, expected) in &self.ends {
            let slot = &self.slots[*number];
            let got = read::<u8>(slot.memory, expected.bytes.len());
            compare(&format!("{}, tensor {number}", self.name), expected, &got, *near);
        }
    }
}

impl Slot {
    fn read(file: &mut Reader<'_>) -> Self {
        let elements = Elements::described(file);
        let elements = if file.byte() == 1 { elements.filled(file) } else { elements };
        let bytes = elements.dtype.bits() / 8 * elements.dims.iter().product::<i64>() as usize;
        let memory = malloc(bytes.max(1));
        write(memory, &elements.bytes);
        let tensor = tensor(elements.dtype, &elements.dims, memory);
        Self { elements, memory, tensor }
    }

    fn seen(&self, view: &View) -> *mut aclTensor {
        let storage = [self.elements.dims.iter().product()];
        strided(self.elements.dtype, &view.dims, Some(&view.strides), view.offset, &storage, self.memory)
    }
}

impl Call {
    fn read(file: &mut Reader<'_>) -> Self {
        let operator = text(file);
        let waits = file.byte() == 1;
        let arguments = (0..file.byte()).map(|_| Given::read(file)).collect();
        Self { operator, waits, arguments }
    }
}

impl Given {
    fn read(file: &mut Reader<'_>) -> Self {
        match file.0[0] {
            b't' => {
                file.byte();
                let slot = count(file);
                let rank = file.byte();
                let mut numbers =
                    |count: u8| (0..count).map(|_| i64::from_le_bytes(self::number(file))).collect();
                let view = rank.checked_sub(1).map(|rank| View {
                    dims: numbers(rank),
                    strides: numbers(rank),
                    offset: numbers(1)[0],
                });
                Given::Slot(slot, view)
            }
            b'm' => {
                file.byte();
                Given::List((0..file.byte()).map(|_| Given::read(file)).collect())
            }
            _ => Given::Other(Argument::read(file)),
        }
    }

    fn pass(&self, slots: &[Slot]) -> Passed {
        match self {
            Given::Slot(slot, None) => Passed::Tensor(slots[*slot].tensor),
            Given::Slot(slot, Some(view)) => Passed::Tensor(slots[*slot].seen(view)),
            Given::List(list) => {
                let tensors: Vec<*const aclTensor> = list
                    .iter()
                    .map(|given| match given.pass(slots) {
                        Passed::Tensor(tensor) => tensor.cast_const(),
                        _ => ptr::null(),
                    })
                    .collect();
                // SAFETY: the tensors have the length that is passed.
                let list =
                    unsafe { EMULATOR.meta.aclCreateTensorList(tensors.as_ptr(), tensors.len() as u64) };
                Passed::Tensors(list.expect("declared"))
            }
            Given::Other(argument) => argument.pass_alone(),
        }
    }
}

/// Queues an operator on the default stream, as a plugin does: nobody waits.
fn queue(place: &str, name: &str, arguments: &[Passed]) {
    let operator =
        EMULATOR.operators.by_name(name).expect("a declared operator").expect("the emulator has it");
    // SAFETY: the handles are the emulator's; the places are valid.
    let planned = plan(|size, executor| unsafe {
        operator
            .get_workspace_size(arguments, size, executor)
            .expect("arguments of the kinds of its parameters")
    });
    assert_eq!(planned.code, 0, "{place}: {}", planned.message);
    let needed = if planned.workspace == u64::MAX { 0 } else { planned.workspace };
    let memory = if needed > 0 { malloc(needed as usize) } else { ptr::null_mut() };
    // SAFETY: the executor is of this operator; null is the default stream.
    let code = unsafe { (operator.launcher())(memory, needed, planned.executor, ptr::null_mut()) };
    assert_eq!(code, 0, "{place}: {}", message());
}

fn wait() {
    // SAFETY: null is the default stream.
    ok(unsafe { EMULATOR.runtime.aclrtSynchronizeStream(ptr::null_mut()) });
}

/// The elements of a type as f64; those of other types are compared by their bytes.
fn wide(dtype: DType, bytes: &[u8]) -> Vec<f64> {
    match dtype {
        F32 => bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes).into()).collect(),
        I64 => bytes.as_chunks().0.iter().map(|bytes| i64::from_le_bytes(*bytes) as f64).collect(),
        _ => bytes.iter().map(|byte| f64::from(*byte)).collect(),
    }
}

fn compare(place: &str, expected: &Elements, got: &[u8], [rtol, atol]: [f64; 2]) {
    let dtype = expected.dtype;
    let pairs = wide(dtype, got).into_iter().zip(wide(dtype, &expected.bytes));
    for (index, (got_one, wanted)) in pairs.enumerate() {
        let is_near = got_one == wanted
            || got_one.is_nan() && wanted.is_nan()
            || (got_one - wanted).abs() <= rtol * wanted.abs() + atol;
        assert!(
            is_near,
            "{place}: element {index} is {got_one}, not {wanted}; all: {} and not {}",
            show(dtype, got),
            show(dtype, &expected.bytes)
        );
    }
}

/// Runs the programs whose name begins so.
fn run(name: &str) {
    device();
    let mut bytes = Vec::new();
    let file = include_bytes!("../data/sequences.bin");
    flate2::read::ZlibDecoder::new(&file[..]).read_to_end(&mut bytes).expect("a file of programs");
    let mut file = Reader(&bytes);
    let mut found = 0;
    while !file.is_empty() {
        let program = Program::read(&mut file);
        if program.name.starts_with(name) {
            program.run();
            found += 1;
        }
    }
    assert_eq!(found, 1, "{name}");
}

#[test]
fn a_tensor_is_printed() {
    run("printing");
}

#[test]
fn a_perceptron_learns_with_sgd() {
    run("a perceptron");
}

#[test]
fn adam_takes_steps_with_lists() {
    run("Adam");
}

#[test]
fn a_transformer_runs_forwards_and_backwards() {
    run("a transformer");
}

#[test]
fn attention_has_a_causal_mask() {
    run("scaled");
}

#[test]
fn two_tensors_are_compared() {
    run("comparing");
}

/// Fills a tensor by a random operator, whose arguments come behind the tensor.
fn filled(name: &str, arguments: &[Passed], count: usize) -> Vec<f32> {
    let memory = malloc(count * 4);
    write(memory, &vec![0_f32; count]);
    let own = Passed::Tensor(tensor(F32, &[count as i64], memory));
    let called = call(name, &[&[own], arguments].concat());
    assert_eq!(called.code, 0, "{}", called.message);
    read::<f32>(memory, count)
}

/// Means and variances are within six standard errors of what the distribution has.
#[test]
fn tensors_are_filled_at_random_and_come_back_with_their_seed() {
    device();
    const COUNT: usize = 20_000;
    let moments = |numbers: &[f32]| {
        let mean = numbers.iter().map(|number| f64::from(*number)).sum::<f64>() / COUNT as f64;
        let square = |number: &f32| (f64::from(*number) - mean).powi(2);
        (mean, numbers.iter().map(square).sum::<f64>() / COUNT as f64)
    };
    let near = |value: f64, expected: f64, error: f64| (value - expected).abs() < 6.0 * error;
    let root = (COUNT as f64).sqrt();
    let fill = |name: &str, low: Passed, high: Passed, seed: i64| {
        filled(name, &[low, high, Passed::Int(seed), Passed::Int(0)], COUNT)
    };
    let uniform = |seed| fill("InplaceUniform", Passed::Float(-1.0), Passed::Float(3.0), seed);
    let (mean, variance) = moments(&uniform(7));
    assert!(near(mean, 1.0, 1.16 / root) && near(variance, 16.0 / 12.0, 1.2 / root), "{mean} {variance}");
    assert!(uniform(7).iter().all(|number| (-1.0..3.0).contains(number)));
    let normal = |seed| fill("InplaceNormal", Passed::Float(2.0), Passed::Float(0.5), seed);
    let (mean, variance) = moments(&normal(7));
    assert!(near(mean, 2.0, 0.5 / root) && near(variance, 0.25, 0.36 / root), "{mean} {variance}");
    let whole = |seed| fill("InplaceRandom", Passed::Int(0), Passed::Int(6), seed);
    let (mean, variance) = moments(&whole(7));
    assert!(near(mean, 2.5, 1.71 / root) && near(variance, 35.0 / 12.0, 2.5 / root), "{mean} {variance}");
    assert!(whole(7).iter().all(|number| number.fract() == 0.0 && (0.0..6.0).contains(number)));
    for draw in [&uniform as &dyn Fn(i64) -> Vec<f32>, &normal, &whole] {
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
    }

    // A mask of a bit for each element, and what it leaves of them.
    let (mask, out) = (malloc(COUNT.div_ceil(128) * 16), malloc(COUNT * 4));
    let bytes = COUNT.div_ceil(128) * 16;
    let (ones, sizes) = (malloc(COUNT * 4), [COUNT as i64]);
    write(ones, &vec![1_f32; COUNT]);
    // SAFETY: the sizes have the length that is passed.
    let shape = unsafe { EMULATOR.meta.aclCreateIntArray(sizes.as_ptr(), 1) }.expect("declared");
    let places = [tensor(U8, &[bytes as i64], mask), tensor(F32, &sizes, ones), tensor(F32, &sizes, out)];
    let [bits, input, output] = places.map(Passed::Tensor);
    let probability = aclDataType(F32.acl_code().expect("a type of CANN"));
    let arguments = [
        Passed::Ints(shape),
        Passed::Float(0.25),
        Passed::Int(7),
        Passed::Int(0),
        Passed::DType(probability),
        bits,
    ];
    let called = call("DropoutGenMaskV2", &arguments);
    assert_eq!(called.code, 0, "{}", called.message);
    let called = call("DropoutDoMask", &[input, bits, Passed::Float(0.25), output]);
    assert_eq!(called.code, 0, "{}", called.message);
    let kept = read::<f32>(out, COUNT);
    let share = kept.iter().filter(|number| **number != 0.0).count() as f64 / COUNT as f64;
    assert!(near(share, 0.75, 0.434 / root), "{share}");
    assert!(kept.iter().all(|number| *number == 0.0 || *number == 1.0 / 0.75));
}
