//! Normalisation of tensors with storage formats, and with results in the place of operands. The rest is in golden cases.

use std::ffi::c_void;
use std::ptr;

use aclnn_numerics::DType::F32;
use aclnn_sys::*;

use crate::support::*;

/// A tensor of f32 with a storage format.
fn formatted(dims: &[i64], format: aclFormat, memory: *mut c_void) -> *mut aclTensor {
    let single = aclDataType(F32.acl_code().unwrap());
    let (count, null) = (dims.len() as u64, ptr::null());
    // SAFETY: the sizes have the length that is passed, the memory holds as many elements.
    unsafe {
        EMULATOR.meta.aclCreateTensor(
            dims.as_ptr(),
            count,
            single,
            null,
            0,
            format,
            dims.as_ptr(),
            count,
            memory,
        )
    }
    .expect("the emulator makes tensors")
}

/// Plans, launches and waits; the code of phase one.
macro_rules! run {
    ($operator:ident($($argument:expr),* $(,)?)) => {{
        let operator = EMULATOR.operators.$operator().expect("declared");
        // SAFETY: the handles are the emulator's.
        let planned = plan(|size, executor| unsafe { operator.get_workspace_size($($argument,)* size, executor) });
        if planned.code == 0 {
            let workspace = malloc(planned.workspace.max(1) as usize);
            // SAFETY: the executor is live, the workspace as large as it asked for; null is the default stream.
            let code = unsafe { operator.launch(workspace, planned.workspace, planned.executor, ptr::null_mut()) };
            assert_eq!(code, 0);
            // SAFETY: null is the default stream.
            ok(unsafe { EMULATOR.runtime.aclrtSynchronizeStream(ptr::null_mut()) });
        }
        planned.code
    }};
}

#[test]
fn channels_are_summed_where_the_format_has_them() {
    device();
    let x: Vec<f32> = (0..2 * 3 * 2 * 2).map(|index| (index % 7) as f32 - 2.0).collect();
    let (memory, sums, squares) = (malloc(24 * 4), malloc(12), malloc(12));
    write(memory, &x);
    let outs = [tensor(F32, &[3], sums), tensor(F32, &[3], squares)];
    for (dims, format, channel) in [
        ([2, 3, 2, 2], ACL_FORMAT_NCHW, (|index| index / 4 % 3) as fn(usize) -> usize),
        ([2, 2, 2, 3], ACL_FORMAT_NHWC, |index| index % 3),
    ] {
        let own = formatted(&dims, format, memory);
        assert_eq!(run!(BatchNormReduce(own, outs[0], outs[1])), 0);
        let mut expected = [[0.0f32; 3]; 2];
        for (index, x) in x.iter().enumerate() {
            expected[0][channel(index)] += x;
            expected[1][channel(index)] += x * x;
        }
        assert_eq!([read::<f32>(sums, 3), read::<f32>(squares, 3)], expected.map(Vec::from));
    }
    let plain = tensor(F32, &[2, 3, 2, 2], memory);
    assert_eq!(run!(BatchNormReduce(plain, outs[0], outs[1])), ACLNN_ERR_PARAM_INVALID);
}

/// A batch with five axes is taken in the format NCDHW alone, and normalised as one with three.
#[test]
fn volumes_are_normalised_in_their_format() {
    device();
    let x: Vec<f32> = (0..48).map(|index| (index * 5 % 11) as f32).collect();
    let (memory, out) = (malloc(48 * 4), malloc(48 * 4));
    write(memory, &x);
    let [mean, deviation] = [(); 2].map(|()| tensor(F32, &[3], malloc(16)));
    let null = ptr::null();
    let mut results = Vec::new();
    for (dims, format, code) in [
        (&[2, 3, 8][..], ACL_FORMAT_ND, 0),
        (&[2, 3, 2, 2, 2], ACL_FORMAT_NCDHW, 0),
        (&[2, 3, 2, 2, 2], ACL_FORMAT_ND, ACLNN_ERR_PARAM_INVALID),
        (&[2, 3, 2, 2, 2], ACL_FORMAT_NDC1HWC0, ACLNN_ERR_PARAM_INVALID),
    ] {
        let (own, to) = (formatted(dims, format, memory), formatted(dims, format, out));
        let (no, eps) = (ptr::null_mut(), 1e-5);
        assert_eq!(
            run!(BatchNorm(own, null, null, no, no, true, 0.1, eps, to, mean, deviation)),
            code,
            "{dims:?}"
        );
        results.push(read::<f32>(out, 48));
    }
    assert!(results.windows(2).all(|pair| pair[0] == pair[1]));
}

/// A gradient that takes the place of an operand is the same, as are the gradients that are summed of that operand.
#[test]
fn gradients_may_replace_an_operand() {
    device();
    let numbers =
        |seed: usize| -> Vec<f32> { (0..12).map(|index| ((index * seed) % 13) as f32 / 4.0).collect() };
    let (x, g) = (numbers(5), numbers(7));
    let memory = [48, 48, 48, 16, 16, 16, 16].map(malloc);
    let [own, grad, apart, weight, bias, mean, rstd] = memory;
    write(own, &x);
    write(mean, &[0.5f32, 1.0, 1.5]);
    write(rstd, &[1.0f32, 0.5, 0.25]);
    let rows = [own, grad, apart].map(|memory| tensor(F32, &[3, 4], memory));
    let saved = [mean, rstd].map(|memory| tensor(F32, &[3, 1], memory));
    let summed = [weight, bias].map(|memory| tensor(F32, &[4], memory));
    // SAFETY: the arrays have the lengths that are passed.
    let (dims, mask) = unsafe {
        (
            EMULATOR.meta.aclCreateIntArray([4].as_ptr(), 1),
            EMULATOR.meta.aclCreateBoolArray([true; 3].as_ptr(), 3),
        )
    };
    let (dims, mask, null) = (dims.unwrap(), mask.unwrap(), ptr::null());
    let mut results = Vec::new();
    for (out, place) in [(rows[2], apart), (rows[1], grad), (rows[0], own)] {
        write(grad, &g);
        write(own, &x);
        let code = run!(LayerNormBackward(
            rows[1], rows[0], dims, saved[0], saved[1], null, null, mask, out, summed[0], summed[1]
        ));
        assert_eq!(code, 0);
        results.push((read::<f32>(place, 12), read::<f32>(weight, 4), read::<f32>(bias, 4)));
    }
    assert!(results.windows(2).all(|pair| pair[0] == pair[1]), "{results:?}");
}
