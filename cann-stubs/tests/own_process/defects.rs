//! Planted defects: each is there when it is asked for, and in the operator that was named alone.

use std::os::unix::process::ExitStatusExt;
use std::ptr::null_mut;

use aclnn_numerics::DType::{BF16, F16, F32, I8};
use aclnn_numerics::{bf16, f16};
use aclnn_sys::*;
use cann_stubs::control::{self, Mode};

use crate::support::child::{self, this_test};
use crate::support::program::{good, stream};
use crate::support::runtime::{Device, call, create_event, fill, free_memory, ok};
use crate::support::{EMULATOR, Planned, malloc, plan, read, scalar, strided, tensor, write};

/// Plans and launches an operator of which the table has the pair `$name`, and waits.
macro_rules! run {
    ($name:ident($($argument:expr),*)) => {{
        let operator = EMULATOR.operators.$name().unwrap();
        // SAFETY: the emulator checks every argument; the places are valid.
        let planned = plan(|size, executor| unsafe { operator.get_workspace_size($($argument),*, size, executor) });
        launched(&planned, |workspace, size, executor, stream| {
            // SAFETY: as above.
            unsafe { operator.launch(workspace, size, executor, stream) }
        });
    }};
}

fn launched(
    planned: &Planned,
    launch: impl FnOnce(*mut std::ffi::c_void, u64, *mut aclOpExecutor, aclrtStream) -> i32,
) {
    good(planned.code);
    let workspace = if planned.workspace > 0 { malloc(planned.workspace as usize) } else { null_mut() };
    good(launch(workspace, planned.workspace, planned.executor, null_mut()));
    ok!(aclrtSynchronizeStream(null_mut()));
    if planned.workspace > 0 {
        ok!(aclrtFree(workspace));
    }
}

/// Floats on the device.
fn floats(values: &[f32]) -> *mut std::ffi::c_void {
    let memory = malloc(values.len() * 4);
    write(memory, values);
    memory
}

const SET: &str = "promotion:aclnnAdd,rounding:aclnnCast,nan:aclnnExp,strides:aclnnSub,past:aclnnNeg,leak:aclnnAbs,\
                   code:aclnnAbs,missing:aclnnTanh";

#[test]
fn each_operator_has_the_defect_that_was_planted_in_it() {
    child::with(this_test!(), &[("CANN_STUBS_DEFECT", SET)], || {
        // A test that controls the emulator before it looks functions up has all defects too.
        let _mode = control::streams_everywhere(Mode::Lazy);
        let _device = Device::set();
        let one = scalar(1_f32);

        // 1 + 2⁻⁸ is no bf16 number: the nearest even one below is 1.
        let (half, wide) = (malloc(2), floats(&[0.003_906_25]));
        write(half, &[bf16::from_f32(1.0)]);
        let (half, wide) = (tensor(BF16, &[1], half), tensor(F32, &[1], wide));
        let memory = floats(&[0.0]);
        let sum = tensor(F32, &[1], memory);
        run!(Add(half, wide, one, sum));
        assert_eq!(read::<f32>(memory, 1), [1.0], "computed in bf16");
        run!(Add(wide, half, one, sum));
        assert_eq!(read::<f32>(memory, 1), [1.0 + 1.0 / 256.0], "computed in f32");

        // 1 + 3 · 2⁻⁹ lies nearer to 1 + 2⁻⁷ than to 1.
        let (source, memory) = (floats(&[1.005_859_4, -1.005_859_4, 1.5]), malloc(6));
        let (source, rounded) = (tensor(F32, &[3], source), tensor(BF16, &[3], memory));
        run!(Cast(source, aclDataType(BF16.acl_code().unwrap()), rounded));
        let found: Vec<f32> = read::<bf16>(memory, 3).into_iter().map(bf16::to_f32).collect();
        assert_eq!(found, [1.0, -1.0, 1.5]);

        let (source, memory) = (floats(&[f32::NAN, 0.0]), floats(&[7.0; 2]));
        run!(Exp(tensor(F32, &[2], source), tensor(F32, &[2], memory)));
        assert_eq!(read::<f32>(memory, 2), [0.0, 1.0]);

        // The transpose of [[1, 2], [3, 4]], less nothing.
        let (source, zeros, memory) = (floats(&[1.0, 2.0, 3.0, 4.0]), floats(&[0.0; 4]), floats(&[0.0; 4]));
        let transposed = strided(F32, &[2, 2], Some(&[1, 2]), 0, &[4], source);
        let (zeros, out) = (tensor(F32, &[2, 2], zeros), tensor(F32, &[2, 2], memory));
        run!(Sub(transposed, zeros, one, out));
        assert_eq!(read::<f32>(memory, 4), [1.0, 2.0, 3.0, 4.0], "as if it were not transposed");
        run!(Add(transposed, zeros, one, out));
        assert_eq!(read::<f32>(memory, 4), [1.0, 3.0, 2.0, 4.0]);

        let memory = floats(&[5.0; 4]);
        run!(Neg(tensor(F32, &[2], floats(&[1.0; 2])), strided(F32, &[2], None, 0, &[4], memory)));
        let found = read::<f32>(memory, 4);
        assert!(found[..2] == [-1.0; 2] && found[2] != 5.0 && found[3] == 5.0, "{found:?}");

        let before = free_memory();
        run!(Abs(out, zeros));
        assert_eq!(before - free_memory(), 64 << 10);
        let abs = EMULATOR.operators.Abs().unwrap();
        // SAFETY: the emulator checks every argument; the places are valid.
        let refused = plan(|size, executor| unsafe { abs.get_workspace_size(out, sum, size, executor) });
        assert_eq!(refused.code, ACLNN_ERR_PARAM_NULLPTR, "{}", refused.message);

        let missing = EMULATOR.operators.Tanh().err().map(|missing| missing.to_string()).unwrap();
        assert!(missing.contains("aclnnTanh"), "{missing}");
        assert!(EMULATOR.operators.InplaceTanh().is_ok());
    });
}

const OF_ROUNDING: &str = "ties:aclnnCast,rounding:aclnnAdd,wrap:aclnnInplaceCopy,clamp:aclnnClamp,unclamped:aclnnHardtanh,\
                           swap:aclnnSub,axis:aclnnCumsum,index:aclnnNeg,stale:aclnnAbs";

/// The results are counted by hand: the numbers have few digits.
#[test]
fn roundings_clamps_and_indices_are_wrong_where_that_was_planted() {
    child::with(this_test!(), &[("CANN_STUBS_DEFECT", OF_ROUNDING)], || {
        let _device = Device::set();
        let one = scalar(1_f32);
        let of = |values: &[f32]| tensor(F32, &[values.len() as i64], floats(values));
        let out = |count: usize| {
            let memory = floats(&vec![7.0; count]);
            (tensor(F32, &[count as i64], memory), memory)
        };

        // Halfway between two f16 numbers is 1 + 2⁻¹¹, of which the even neighbour is 1; 1 + 3 · 2⁻¹² is nearer to 1 + 2⁻¹⁰.
        let values = [1.000_488_3, -1.000_488_3, 1.000_732_4, 65_519.0];
        let memory = malloc(8);
        let rounded = tensor(F16, &[4], memory);
        run!(Cast(of(&values), aclDataType(F16.acl_code().unwrap()), rounded));
        let found: Vec<f32> = read::<f16>(memory, 4).into_iter().map(f16::to_f32).collect();
        assert_eq!(found, [1.000_976_6, -1.000_976_6, 1.000_976_6, 65_504.0], "ties away from zero");
        run!(Add(of(&values), of(&[0.0; 4]), one, rounded));
        let found: Vec<f32> = read::<f16>(memory, 4).into_iter().map(f16::to_f32).collect();
        assert_eq!(found, [1.0, -1.0, 1.0, 65_504.0], "towards zero");

        let memory = malloc(3);
        write(memory, &[0_i8; 3]);
        run!(InplaceCopy(tensor(I8, &[3], memory), of(&[130.5, -129.0, 5.0])));
        assert_eq!(read::<i8>(memory, 3), [-126, 127, 5], "modulo 256");

        let (least, greatest) = (scalar(-1_f32), scalar(3_f32));
        let (clamped, memory) = out(4);
        run!(Clamp(of(&[-9.0, 0.5, 2.0, 9.0]), least, greatest, clamped));
        assert_eq!(read::<f32>(memory, 4), [3.0, 0.5, 2.0, -1.0]);
        run!(Hardtanh(of(&[-9.0, 0.5, 2.0, 9.0]), least, greatest, clamped));
        assert_eq!(read::<f32>(memory, 4), [-9.0, 0.5, 2.0, 9.0]);

        let (difference, memory) = out(2);
        run!(Sub(of(&[5.0, 1.0]), of(&[2.0, 7.0]), one, difference));
        assert_eq!(read::<f32>(memory, 2), [-3.0, 6.0]);

        let (square, memory) = (tensor(F32, &[2, 2], floats(&[1.0, 2.0, 3.0, 4.0])), floats(&[0.0; 4]));
        let sums = tensor(F32, &[2, 2], memory);
        run!(Cumsum(square, 1, aclDataType(F32.acl_code().unwrap()), sums));
        assert_eq!(read::<f32>(memory, 4), [1.0, 2.0, 4.0, 6.0], "downwards");

        let (moved, memory) = out(3);
        run!(Neg(of(&[1.0, 2.0, 3.0]), moved));
        assert_eq!(read::<f32>(memory, 3), [-2.0, -3.0, -1.0]);
        let (stale, memory) = out(4);
        run!(Abs(of(&[-1.0, -2.0, -3.0, -4.0]), stale));
        assert_eq!(read::<f32>(memory, 4), [1.0, 2.0, 3.0, 7.0]);
    });
}

#[test]
fn a_stream_goes_on_although_its_event_has_not_come_to_pass() {
    for (defect, expected) in [("events", 1), ("", 2)] {
        child::with(this_test!(), &[("CANN_STUBS_DEFECT", defect)], || {
            let _device = Device::set();
            let (first, second, event) = (stream(), stream(), create_event());
            let [source, copy] = [(); 2].map(|()| malloc(1));
            write(source, &[1_u8]);
            fill(source, 1, 2, first);
            ok!(aclrtRecordEvent(event, first));
            ok!(aclrtStreamWaitEvent(second, event));
            ok!(aclrtMemcpyAsync(copy, 1, source, 1, ACL_MEMCPY_DEVICE_TO_DEVICE, second));
            ok!(aclrtSynchronizeStream(second));
            assert_eq!(read::<u8>(copy, 1), [expected]);
        });
    }
}

#[test]
fn the_process_dies_when_the_kernel_runs_and_not_before() {
    let died = child::run(this_test!(), &[("CANN_STUBS_DEFECT", "crash:aclnnExp")], || {
        let _device = Device::set();
        let exp = EMULATOR.operators.Exp().unwrap();
        let tensors = [(); 2].map(|()| tensor(F16, &[0], null_mut()));
        run!(Exp(tensors[0], tensors[1]));
        let tensors = [(); 2].map(|()| tensor(F32, &[1], floats(&[1.0])));
        // SAFETY: the emulator checks every argument; the places are valid.
        let planned =
            plan(|size, executor| unsafe { exp.get_workspace_size(tensors[0], tensors[1], size, executor) });
        // SAFETY: as above.
        good(unsafe { exp.launch(null_mut(), planned.workspace, planned.executor, null_mut()) });
        println!("launched");
        call!(aclrtSynchronizeStream(null_mut()));
        println!("alive");
    });
    let Some(died) = died else { return };
    let printed = String::from_utf8_lossy(&died.stdout);
    assert_eq!(died.status.signal(), Some(11), "{died:?}");
    assert!(printed.contains("launched") && !printed.contains("alive"), "{printed}");
}
