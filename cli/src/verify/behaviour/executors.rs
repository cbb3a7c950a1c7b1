//! Executors: repeated launches, new addresses, workspaces.

use std::ptr;

use aclnn::sys::ACLNN_ERR_INNER;
use aclnn::{DType, f16};
use anyhow::Result;

use super::check::Check;
use crate::verify::answer::{Answer, Findings};
use crate::verify::raw::{Setting, good, plan};

pub(super) const CHECKS: &[Check] = &[
    Check::new(
        "executors-repeat",
        "A repeatable executor computes at each launch from what its tensors hold then.",
        repeat,
    ),
    Check::new(
        "executors-take-new-addresses",
        "A repeatable executor computes with the addresses that its tensors have at the launch (aclSetTensorAddr).",
        take_new_addresses,
    ),
    Check::new(
        "executors-refuse-to-repeat-with-561000",
        "An executor that cannot repeat is refused with 561000, and can still be launched once.",
        refuse_to_repeat,
    ),
    Check::new(
        "executors-may-end-unlaunched",
        "An executor that is never launched is destroyed without harm to later calls.",
        end_unlaunched,
    ),
    Check::new(
        "workspace-is-as-large-as-was-asked",
        "A launch with exactly the workspace that phase one asked for changes no byte behind it.",
        workspace,
    ),
    Check::new(
        "empty-tensors-are-launched",
        "A call on an empty tensor asks for no workspace, and its launch succeeds.",
        empty,
    ),
];

fn repeat(setting: &Setting) -> Result<Answer> {
    // Sizes that no other check has, as the library may not repeat what it has cached.
    const COUNT: usize = 1013;
    let dims = [COUNT as i64];
    let (input, output) = (setting.filled(&[0_f32; COUNT])?, setting.memory(COUNT * 4)?);
    let own = setting.tensor(DType::F32, &dims, input.handle)?;
    let out = setting.tensor(DType::F32, &dims, output.handle)?;
    let planned = plan!(setting, Neg(own.handle, out.handle));
    setting.must_be_good("aclnnNegGetWorkspaceSize", planned.code)?;
    setting.must_be_good("aclSetAclOpExecutorRepeatable", setting.repeat(&planned)?)?;
    let workspace = setting.memory(planned.workspace.max(1) as usize)?;
    let mut findings = Findings::default();
    for round in 1..=4 {
        setting.upload(input.handle, &[round as f32; COUNT])?;
        setting.must_be_good("aclnnNeg", planned.launch(workspace.handle, ptr::null_mut())?)?;
        good!(setting, aclrtSynchronizeStream(ptr::null_mut()));
        let found = setting.download::<f32>(output.handle, COUNT)?;
        findings.equal(&format!("launch {round}"), found, vec![-(round as f32); COUNT]);
    }
    findings.equal("destroying it", setting.destroy(&planned)?, 0);
    Ok(findings.answer())
}

fn take_new_addresses(setting: &Setting) -> Result<Answer> {
    const COUNT: usize = 1019;
    let dims = [COUNT as i64];
    let inputs = [setting.filled(&[1_f32; COUNT])?, setting.filled(&[2_f32; COUNT])?];
    let outputs = [setting.filled(&[0_f32; COUNT])?, setting.filled(&[0_f32; COUNT])?];
    let [first_input, second_input] = &inputs;
    let [first_output, second_output] = &outputs;
    let own = setting.tensor(DType::F32, &dims, first_input.handle)?;
    let out = setting.tensor(DType::F32, &dims, first_output.handle)?;
    let planned = plan!(setting, Neg(own.handle, out.handle));
    setting.must_be_good("aclnnNegGetWorkspaceSize", planned.code)?;
    setting.must_be_good("aclSetAclOpExecutorRepeatable", setting.repeat(&planned)?)?;
    let workspace = setting.memory(planned.workspace.max(1) as usize)?;
    let mut findings = Findings::default();
    let launch = || -> Result<()> {
        setting.must_be_good("aclnnNeg", planned.launch(workspace.handle, ptr::null_mut())?)?;
        good!(setting, aclrtSynchronizeStream(ptr::null_mut()));
        Ok(())
    };
    launch()?;
    let executor = planned.executor;
    // SAFETY: executor, tensors and memory live.
    let codes = unsafe {
        [
            setting.meta().aclSetInputTensorAddr(executor, 0, own.handle, second_input.handle)?,
            setting.meta().aclSetOutputTensorAddr(executor, 0, out.handle, second_output.handle)?,
        ]
    };
    findings.equal("the codes of both exchanges", codes, [0, 0]);
    launch()?;
    for (output, expected) in outputs.iter().zip([-1.0, -2.0]) {
        let found = setting.download::<f32>(output.handle, COUNT)?;
        findings.equal("an output", found, vec![expected; COUNT]);
    }
    findings.equal("destroying it", setting.destroy(&planned)?, 0);
    Ok(findings.answer())
}

fn refuse_to_repeat(setting: &Setting) -> Result<Answer> {
    let (input, output) = (setting.filled(&[5_f32; 8])?, setting.memory(32)?);
    let own = setting.tensor(DType::F32, &[8], input.handle)?;
    let out = setting.tensor(DType::F32, &[8], output.handle)?;
    // A copy between device memory.
    let planned = plan!(setting, InplaceCopy(out.handle, own.handle));
    setting.must_be_good("aclnnInplaceCopyGetWorkspaceSize", planned.code)?;
    let code = setting.repeat(&planned)?;
    if code == 0 {
        setting.destroy(&planned)?;
        return Ok(Answer::right("this library repeats a small copy, which the published sources refuse"));
    }
    let mut findings = Findings::default();
    findings.equal("the code", code, ACLNN_ERR_INNER);
    setting.finish(&planned)?;
    findings.equal("what was copied", setting.download::<f32>(output.handle, 8)?, vec![5.0; 8]);
    Ok(findings.answer())
}

fn end_unlaunched(setting: &Setting) -> Result<Answer> {
    let (input, output) = (setting.filled(&[4_f32; 1021])?, setting.memory(1021 * 4)?);
    let own = setting.tensor(DType::F32, &[1021], input.handle)?;
    let out = setting.tensor(DType::F32, &[1021], output.handle)?;
    let mut findings = Findings::default();
    for _ in 0..3 {
        let planned = plan!(setting, Sqrt(own.handle, out.handle));
        setting.must_be_good("aclnnSqrtGetWorkspaceSize", planned.code)?;
        findings.equal("destroying it", setting.destroy(&planned)?, 0);
        setting.finish(&plan!(setting, Sqrt(own.handle, out.handle)))?;
        findings.equal("the next call", setting.download::<f32>(output.handle, 1021)?, vec![2.0; 1021]);
    }
    Ok(findings.answer())
}

fn workspace(setting: &Setting) -> Result<Answer> {
    const GUARD: usize = 4096;
    let mut findings = Findings::default();
    let (half, wide) = (setting.filled(&[f16::ONE; 4096])?, setting.filled(&[0.5_f32; 4096])?);
    let output = setting.memory(4096 * 4)?;
    let one = setting.scalar(1_f32)?;
    let dims = [64_i64, 64];
    // Mixed types and a transposed operand, for which the library makes temporaries.
    let a = setting.view(DType::F16, &dims, Some(&[1, 64]), &[4096], half.handle)?;
    let b = setting.tensor(DType::F32, &dims, wide.handle)?;
    let out = setting.tensor(DType::F32, &dims, output.handle)?;
    let planned = plan!(setting, Add(a.handle, b.handle, one.handle, out.handle));
    setting.must_be_good("aclnnAddGetWorkspaceSize", planned.code)?;
    let bytes = planned.workspace as usize;
    let workspace = setting.memory(bytes + GUARD)?;
    let guard = workspace.handle.wrapping_byte_add(bytes);
    setting.upload(guard, &[0xa5_u8; GUARD])?;
    setting.must_be_good("aclnnAdd", planned.launch(workspace.handle, ptr::null_mut())?)?;
    good!(setting, aclrtSynchronizeStream(ptr::null_mut()));
    let changed = setting.download::<u8>(guard, GUARD)?.into_iter().filter(|byte| *byte != 0xa5).count();
    findings.equal("bytes changed behind the workspace", changed, 0);
    let wrong = setting.download::<f32>(output.handle, 4096)?.into_iter().find(|value| *value != 1.5);
    findings.equal("a wrong sum", wrong, None);
    Ok(findings.answer())
}

fn empty(setting: &Setting) -> Result<Answer> {
    let memory = setting.filled(&[3_f32; 4])?;
    let tensor = setting.tensor(DType::F32, &[0, 4], memory.handle)?;
    let planned = plan!(setting, Exp(tensor.handle, tensor.handle));
    setting.must_be_good("aclnnExpGetWorkspaceSize", planned.code)?;
    let mut findings = Findings::default();
    findings.equal("workspace", planned.workspace, 0);
    findings.holds(!planned.executor.is_null(), || "there is no executor".to_owned());
    setting.finish(&planned)?;
    findings.equal("what is there", setting.download::<f32>(memory.handle, 4)?, vec![3.0; 4]);
    Ok(findings.answer())
}
