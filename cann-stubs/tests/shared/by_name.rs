//! Operators that are called by name: their inputs, outputs and attributes by their places.

use std::ffi::{CStr, c_void};
use std::ptr::{null, null_mut};

use crate::support::runtime::{call, ok};
use crate::support::*;
use aclnn_sys::*;

/// An operand: its sizes and format, those in memory, and where it is.
struct Operand {
    description: *mut aclTensorDesc,
    buffer: *mut aclDataBuffer,
}

impl Operand {
    fn new(dtype: aclDataType, dims: &[i64], memory: *mut c_void, bytes: usize) -> Self {
        let description = call!(aclCreateTensorDesc(dtype, dims.len() as i32, dims.as_ptr(), ACL_FORMAT_ND));
        Operand { description, buffer: call!(aclCreateDataBuffer(memory, bytes)) }
    }

    fn absent() -> Self {
        let description = call!(aclCreateTensorDesc(ACL_DT_UNDEFINED, 0, null(), ACL_FORMAT_UNDEFINED));
        Operand { description, buffer: call!(aclCreateDataBuffer(null_mut(), 0)) }
    }

    fn f32(dims: &[i64], values: &[f32]) -> Self {
        let memory = malloc(values.len().max(1) * 4);
        write(memory, values);
        Self::new(ACL_FLOAT, dims, memory, values.len() * 4)
    }

    /// Integers in memory of the host, which must outlive the call.
    fn on_host(values: &[i64]) -> Self {
        let operand = Self::new(
            ACL_INT64,
            &[values.len() as i64],
            values.as_ptr().cast_mut().cast(),
            size_of_val(values),
        );
        ok!(aclSetTensorPlaceMent(operand.description, ACL_MEMTYPE_HOST));
        operand
    }

    /// The same operand in another format in memory.
    fn stored(self, format: aclFormat, dims: &[i64]) -> Self {
        ok!(aclSetTensorFormat(self.description, format));
        ok!(aclSetTensorShape(self.description, dims.len() as i32, dims.as_ptr()));
        self
    }

    fn values(&self, count: usize) -> Vec<f32> {
        read(call!(aclGetDataBufferAddr(self.buffer)), count)
    }
}

/// The outcome of a call.
struct Done {
    code: i32,
    text: String,
}

impl Done {
    #[track_caller]
    fn well(&self) {
        assert_eq!(self.code, 0, "{}", self.text);
    }
}

/// Calls an operator with attributes of integers, texts and lists on a stream of its own, and waits for it.
#[track_caller]
fn execute(
    name: &CStr,
    inputs: &[Operand],
    outputs: &[Operand],
    ints: &[(&CStr, i64)],
    texts: &[(&CStr, &CStr)],
    lists: &[(&CStr, &[i64])],
) -> Done {
    let mut stream = null_mut();
    ok!(aclrtCreateStream(&mut stream));
    let attributes = call!(aclopCreateAttr());
    for (name, value) in ints {
        ok!(aclopSetAttrInt(attributes, name.as_ptr(), *value));
    }
    for (name, value) in texts {
        ok!(aclopSetAttrString(attributes, name.as_ptr(), value.as_ptr()));
    }
    for (name, values) in lists {
        ok!(aclopSetAttrListInt(attributes, name.as_ptr(), values.len() as i32, values.as_ptr()));
    }
    let descriptions = |all: &[Operand]| -> Vec<*const aclTensorDesc> {
        all.iter().map(|operand| operand.description.cast_const()).collect()
    };
    let (of_inputs, of_outputs) = (descriptions(inputs), descriptions(outputs));
    let from: Vec<*const aclDataBuffer> = inputs.iter().map(|operand| operand.buffer.cast_const()).collect();
    let to: Vec<*mut aclDataBuffer> = outputs.iter().map(|operand| operand.buffer).collect();
    let code = call!(aclopCompileAndExecute(
        name.as_ptr(),
        inputs.len() as i32,
        of_inputs.as_ptr(),
        from.as_ptr(),
        outputs.len() as i32,
        of_outputs.as_ptr(),
        to.as_ptr(),
        attributes,
        ACL_ENGINE_SYS,
        ACL_COMPILE_SYS,
        null(),
        stream
    ));
    call!(aclopDestroyAttr(attributes));
    let code = if code != 0 { code } else { call!(aclrtSynchronizeStream(stream)) };
    let text = message();
    ok!(aclrtDestroyStream(stream));
    Done { code, text }
}

fn numbers(count: usize) -> Vec<f32> {
    (0..count).map(|number| (number * 7 % 11) as f32 / 8.0 - 0.5).collect()
}

fn f32s(dims: &[i64]) -> Operand {
    Operand::f32(dims, &vec![f32::NAN; dims.iter().product::<i64>() as usize])
}

#[track_caller]
fn near(values: &[f32], expected: &[f32]) {
    let is_near = |(a, b): (&f32, &f32)| (a - b).abs() <= 1e-5;
    assert!(
        values.len() == expected.len() && values.iter().zip(expected).all(is_near),
        "{values:?} {expected:?}"
    );
}

/// The references are the places themselves.
#[test]
fn elements_are_put_in_other_places() {
    device();
    let x = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0];
    let (axes, out) = ([1, 0], [f32s(&[3, 2])]);
    execute(c"Transpose", &[Operand::f32(&[2, 3], &x), Operand::on_host(&axes)], &out, &[], &[], &[]).well();
    assert_eq!(out[0].values(6), [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
    let (begin, size, out) = ([1, 1], [1, -1], [f32s(&[1, 2])]);
    let inputs = [Operand::f32(&[2, 3], &x), Operand::on_host(&begin), Operand::on_host(&size)];
    execute(c"Slice", &inputs, &out, &[], &[], &[]).well();
    assert_eq!(out[0].values(2), [4.0, 5.0]);
    let (pads, out) = ([0, 1, 1, 0], [f32s(&[3, 4])]);
    execute(c"Pad", &[Operand::f32(&[2, 3], &x), Operand::on_host(&pads)], &out, &[], &[], &[]).well();
    assert_eq!(out[0].values(12), [0.0, 0.0, 1.0, 2.0, 0.0, 3.0, 4.0, 5.0, 0.0, 0.0, 0.0, 0.0]);
    let out = [f32s(&[6])];
    let lists: &[(&CStr, &[i64])] = &[(c"perm", &[1, 0]), (c"shape", &[6])];
    execute(
        c"ConfusionTransposeD",
        &[Operand::f32(&[2, 3], &x)],
        &out,
        &[(c"transpose_first", 1)],
        &[],
        lists,
    )
    .well();
    assert_eq!(out[0].values(6), [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
}

/// The reference is where the formats put elements.
#[test]
fn identity_casts_formats() {
    device();
    let x = numbers(17 * 3);
    let private = f32s(&[17, 3]).stored(ACL_FORMAT_FRACTAL_NZ, &[1, 2, 16, 16]);
    let memory = malloc(512 * 4);
    ok!(aclUpdateDataBuffer(private.buffer, memory, 512 * 4));
    let outputs = [private];
    execute(c"Identity", &[Operand::f32(&[17, 3], &x)], &outputs, &[], &[], &[]).well();
    let mut expected = vec![0.0; 512];
    for (number, value) in x.iter().enumerate() {
        expected[number / 3 * 16 + number % 3] = *value;
    }
    assert_eq!(outputs[0].values(512), expected);
    let back = [f32s(&[17, 3])];
    execute(c"Identity", &outputs, &back, &[], &[], &[]).well();
    assert_eq!(back[0].values(51), x);
}

/// The reference is the formula, of one step from no state.
#[test]
fn a_step_of_an_lstm() {
    device();
    let (x, w, b) = ([0.5_f32], numbers(8), [0.25_f32, -0.5, 0.75, 1.0]);
    let outputs: Vec<Operand> = (0..8).map(|_| f32s(&[1, 1, 1])).collect();
    let inputs =
        [Operand::f32(&[1, 1, 1], &x), Operand::f32(&[2, 4], &w), Operand::f32(&[4], &b), Operand::absent()];
    let sum = |gate: usize| x[0] * w[gate] + b[gate];
    let sigmoid = |x: f32| 1.0 / (1.0 + (-x).exp());
    // Input gate, new state, forget gate and output gate.
    for (order, [i, j, f, o]) in [(c"ijfo", [0, 1, 2, 3]), (c"ifjo", [0, 2, 1, 3])] {
        execute(c"DynamicRNN", &inputs, &outputs, &[], &[(c"gate_order", order)], &[]).well();
        let (i, j, f, o) = (sigmoid(sum(i)), sum(j).tanh(), sigmoid(sum(f)), sigmoid(sum(o)));
        let c = i * j;
        let all: Vec<f32> = outputs.iter().map(|output| output.values(1)[0]).collect();
        near(&all, &[o * c.tanh(), o * c.tanh(), c, i, j, f, o, c.tanh()]);
    }
}

#[test]
fn what_is_wrong_is_told() {
    device();
    let out = [f32s(&[1])];
    let axes = [1, 0];
    let inputs = [Operand::f32(&[2, 3], &numbers(6)), Operand::on_host(&axes)];
    // It fails where it would run.
    let Done { code, text } = execute(c"Transpose", &inputs, &out, &[], &[], &[]);
    assert_eq!(code, ACL_ERROR_RT_AICPU_EXCEPTION);
    assert!(
        text.contains("Transpose") && text.contains("f32[2, 3]") && text.contains("on the host"),
        "{text}"
    );
    // Nothing is looked at where no output has elements.
    execute(c"Nothing", &inputs, &[f32s(&[0])], &[], &[], &[]).well();
    let nowhere = [null::<aclTensorDesc>(); 2];
    let code = call!(aclopCompileAndExecute(
        c"Transpose".as_ptr(),
        2,
        nowhere.as_ptr(),
        null(),
        0,
        null(),
        null(),
        null(),
        ACL_ENGINE_SYS,
        ACL_COMPILE_SYS,
        null(),
        null_mut()
    ));
    assert_eq!(code, ACL_ERROR_INVALID_PARAM);
}
