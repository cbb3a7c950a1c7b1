//! Executors: how long they live, what repeats, whose addresses count.

use std::ffi::c_void;
use std::ptr;

use aclnn::DType::{self, BF16, Bool, C64, C128, F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};
use aclnn::product::Product;
use aclnn::sys::{ACLNN_ERR_INNER, aclDataType};
use anyhow::{Context as _, Result};

use super::probe::Probe;
use crate::verify::answer::Answer;
use crate::verify::raw::{Planned, Setting, good, plan};

pub(super) const PROBES: &[Probe] = &[
    Probe::new(
        "addresses-of-ordinary-executors",
        "When an ordinary executor gets another address between its phases, which one is computed with?",
        "The new one: addresses are read in phase two.",
        addresses_of_ordinary_executors,
    ),
    Probe::new(
        "casts-on-the-cores",
        "Which pairs of types does Cast convert on the AI cores? The library's cache answers an identical call for those.",
        "32 pairs on the 910 and 89 on the 910B; which ones is not known. The emulator keeps 110 on the 910B.",
        casts_on_the_cores,
    ),
    Probe::new(
        "copies-that-do-not-repeat",
        "Up to how many bytes is a contiguous copy of one type a copy between device memory, which does not repeat?",
        "Up to 400,000 bytes on the 910B and the 950, 800,000 on the 910, less than 32 on the 310P.",
        copies_that_do_not_repeat,
    ),
    Probe::new(
        "views-that-lack-unsigned-types",
        "Through which views does an operator refuse to write u32, as the device's processors lack that type?",
        "On the 910 and the 910B through every view that is not contiguous; elsewhere through none.",
        views_that_lack_unsigned_types,
    ),
    Probe::new(
        "repeatable-executor-destroyed-while-queued",
        "May a repeatable executor be destroyed while its work is queued?",
        "Yes: kernels are launched with copies of their arguments.",
        destroyed_while_queued,
    )
    .dangerous(),
    Probe::new(
        "executor-launched-by-another-thread",
        "May an executor be launched by another thread than the one that planned it?",
        "Yes, for operators that the library composes.",
        launched_by_another_thread,
    )
    .dangerous(),
    Probe::new(
        "shape-released-by-free",
        "Is the array that aclGetViewShape returns released with the allocator of C?",
        "Yes: it comes from new[], which the usual allocators release in the same way.",
        shape_released_by_free,
    )
    .dangerous(),
];

fn addresses_of_ordinary_executors(setting: &Setting) -> Result<Answer> {
    let (first, second) = (setting.filled(&[1_f32; 7])?, setting.filled(&[2_f32; 7])?);
    let output = setting.memory(28)?;
    let own = setting.tensor(F32, &[7], first.handle)?;
    let out = setting.tensor(F32, &[7], output.handle)?;
    let planned = plan!(setting, Neg(own.handle, out.handle));
    setting.must_be_good("aclnnNegGetWorkspaceSize", planned.code)?;
    // SAFETY: the executor was just planned with this tensor.
    let code =
        unsafe { setting.meta().aclSetInputTensorAddr(planned.executor, 0, own.handle, second.handle) }?;
    setting.finish(&planned)?;
    let found = setting.download::<f32>(output.handle, 7)?;
    let which = match found.first() {
        Some(-1.0) => "the old one",
        Some(-2.0) => "the new one",
        _ => "neither",
    };
    let text = format!("aclSetInputTensorAddr returned {code}, and {which} was computed with");
    Ok(Answer::as_assumed(which == "the new one", text))
}

/// How the library treats the second of two identical calls.
#[derive(PartialEq)]
enum Second {
    Cached,
    Planned,
    Refused(i32),
}

fn second(setting: &Setting, plan: impl Fn() -> Result<Planned>) -> Result<Second> {
    let planned = plan()?;
    if planned.code != 0 {
        return Ok(Second::Refused(planned.code));
    }
    setting.finish(&planned)?;
    let planned = plan()?;
    setting.must_be_good("the second phase one", planned.code)?;
    let code = setting.repeat(&planned)?;
    setting.destroy(&planned)?;
    match code {
        0 => Ok(Second::Planned),
        ACLNN_ERR_INNER => Ok(Second::Cached),
        code => Ok(Second::Refused(code)),
    }
}

fn casts_on_the_cores(setting: &Setting) -> Result<Answer> {
    const TYPES: [DType; 15] = [F32, F16, F64, BF16, I8, U8, I16, U16, I32, U32, I64, U64, Bool, C64, C128];
    const COUNT: usize = 509;
    let (input, output) = (setting.filled(&[0_u8; COUNT * 16])?, setting.memory(COUNT * 16)?);
    let (mut cores, mut others, mut refused) = (Vec::new(), 0, Vec::new());
    for from in TYPES {
        for to in TYPES.into_iter().filter(|to| *to != from) {
            let own = setting.tensor(from, &[COUNT as i64], input.handle)?;
            let out = setting.tensor(to, &[COUNT as i64], output.handle)?;
            let code = aclDataType(to.acl_code().context("CANN has no such type")?);
            let pair = format!("{from}→{to}");
            match second(setting, || Ok(plan!(setting, Cast(own.handle, code, out.handle))))? {
                Second::Cached => cores.push(pair),
                Second::Planned => others += 1,
                Second::Refused(code) => refused.push(format!("{pair} ({code})")),
            }
        }
    }
    let assumed = match setting.device.product() {
        Some(Product::Ascend910) => Some(32),
        Some(Product::Ascend910B) => Some(110),
        _ => None,
    };
    let text = format!(
        "{} pairs are cached, so on the cores: {}. {others} are not. {} are refused: {}",
        cores.len(),
        cores.join(" "),
        refused.len(),
        refused.join(" ")
    );
    Ok(Answer::as_assumed(assumed.is_none_or(|count| count == cores.len()), text))
}

fn copies_that_do_not_repeat(setting: &Setting) -> Result<Answer> {
    const SIZES: [i64; 9] = [16, 28, 32, 4096, 400_000, 400_004, 800_000, 800_004, 4_000_000];
    let (input, output) = (setting.filled(&vec![0_u8; 4_000_000])?, setting.memory(4_000_000)?);
    let mut told = Vec::new();
    for bytes in SIZES {
        let own = setting.tensor(F32, &[bytes / 4], input.handle)?;
        let out = setting.tensor(F32, &[bytes / 4], output.handle)?;
        let planned = plan!(setting, InplaceCopy(out.handle, own.handle));
        setting.must_be_good("aclnnInplaceCopyGetWorkspaceSize", planned.code)?;
        let code = setting.repeat(&planned)?;
        setting.destroy(&planned)?;
        told.push(if code == 0 { format!("{bytes} repeats") } else { format!("{bytes} gives {code}") });
    }
    Ok(Answer::right(told.join(", ")))
}

fn views_that_lack_unsigned_types(setting: &Setting) -> Result<Answer> {
    type View = (&'static str, [i64; 2], [i64; 2]);
    const VIEWS: [View; 6] = [
        ("contiguous", [4, 6], [6, 1]),
        ("rows with gaps", [4, 6], [8, 1]),
        ("every other element", [4, 3], [6, 2]),
        ("one column", [4, 1], [6, 1]),
        ("transposed", [6, 4], [1, 6]),
        ("one row of many", [1, 6], [600, 1]),
    ];
    let (input, output) = (setting.filled(&[1_i32; 64])?, setting.filled(&[0_u8; 256])?);
    let code = aclDataType(U32.acl_code().context("CANN has no such type")?);
    let mut told = Vec::new();
    for (name, dims, strides) in VIEWS {
        let own = setting.tensor(I32, &dims, input.handle)?;
        let out = setting.view(U32, &dims, Some(&strides), &[64], output.handle)?;
        let planned = plan!(setting, Cast(own.handle, code, out.handle));
        if planned.code == 0 {
            setting.destroy(&planned)?;
        }
        told.push(format!(
            "{name} {}",
            if planned.code == 0 { "works".into() } else { planned.code.to_string() }
        ));
    }
    Ok(Answer::right(told.join(", ")))
}

fn destroyed_while_queued(setting: &Setting) -> Result<Answer> {
    const COUNT: usize = 1 << 16;
    let stream = setting.stream()?;
    let (input, output) = (setting.filled(&vec![3_f32; COUNT])?, setting.memory(COUNT * 4)?);
    let own = setting.tensor(F32, &[COUNT as i64], input.handle)?;
    let out = setting.tensor(F32, &[COUNT as i64], output.handle)?;
    let planned = plan!(setting, Neg(own.handle, out.handle));
    setting.must_be_good("aclnnNegGetWorkspaceSize", planned.code)?;
    setting.must_be_good("aclSetAclOpExecutorRepeatable", setting.repeat(&planned)?)?;
    let workspace = setting.memory(planned.workspace.max(1) as usize)?;
    setting.hold_up(&stream)?;
    setting.must_be_good("aclnnNeg", planned.launch(workspace.handle, stream.handle)?)?;
    setting.must_be_good("aclDestroyAclOpExecutor", setting.destroy(&planned)?)?;
    // Whatever was released is used again.
    for size in 1..64 {
        let own = setting.tensor(F32, &[size], input.handle)?;
        let other = plan!(setting, Exp(own.handle, own.handle));
        setting.must_be_good("aclnnExpGetWorkspaceSize", other.code)?;
        setting.destroy(&other)?;
    }
    good!(setting, aclrtSynchronizeStream(stream.handle));
    let wrong =
        setting.download::<f32>(output.handle, COUNT)?.into_iter().filter(|value| *value != -3.0).count();
    Ok(Answer::as_assumed(wrong == 0, format!("it was destroyed, and {wrong} of {COUNT} elements are wrong")))
}

/// An executor on its way to another thread.
struct Sent(Planned);

// SAFETY: whether the library bears it is the question; this process exists to ask it.
unsafe impl Send for Sent {}

fn launched_by_another_thread(setting: &Setting) -> Result<Answer> {
    let (input, output) = (setting.filled(&[3_f32; 5])?, setting.filled(&[0_f32; 5])?);
    let own = setting.tensor(F32, &[5], input.handle)?;
    let out = setting.tensor(F32, &[5], output.handle)?;
    let planned = Sent(plan!(setting, Neg(own.handle, out.handle)));
    let launched = std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            let planned = planned;
            setting.bind()?;
            setting.finish(&planned.0)
        });
        thread.join()
    });
    let how = match launched {
        Ok(Ok(())) => "the launch succeeded".to_owned(),
        Ok(Err(error)) => return Ok(Answer::wrong(format!("{error:#}"))),
        Err(_) => return Ok(Answer::wrong("the thread panicked")),
    };
    let found = setting.download::<f32>(output.handle, 5)?;
    Ok(Answer::as_assumed(found == [-3.0; 5], format!("{how}, and the result is {found:?}")))
}

fn shape_released_by_free(setting: &Setting) -> Result<Answer> {
    use std::alloc::{GlobalAlloc as _, Layout, System};

    let memory = setting.memory(64)?;
    let tensor = setting.tensor(F32, &[2, 3], memory.handle)?;
    for _ in 0..1000 {
        let (mut dims, mut count) = (ptr::null_mut::<i64>(), 0);
        // SAFETY: the tensor lives, and the places are valid.
        let code = unsafe { setting.meta().aclGetViewShape(tensor.handle, &mut dims, &mut count) }?;
        setting.must_be_good("aclGetViewShape", code)?;
        if dims.is_null() {
            return Ok(Answer::wrong("the array is NULL"));
        }
        let layout = Layout::array::<i64>(count as usize)?;
        // SAFETY: that this is right is what is asked, in a process of its own. The allocator of the system is that of C.
        unsafe { System.dealloc(dims.cast::<c_void>().cast(), layout) };
    }
    Ok(Answer::right("1000 arrays were released"))
}
