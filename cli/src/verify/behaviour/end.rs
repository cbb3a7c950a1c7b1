//! The end of the libraries.

use aclnn::{Backend, DType, Tensor, sys};
use anyhow::Result;

use super::check::Check;
use crate::verify::answer::{Answer, Findings};
use crate::verify::raw::{Setting, code};

pub(super) const CHECKS: &[Check] = &[Check::new(
    "the-libraries-end-and-count",
    "A second aclInit returns 100002 and counts, and aclFinalizeReference takes the count down without ending anything.",
    end_and_count,
)
.alone()];

fn end_and_count(setting: &Setting) -> Result<Answer> {
    let mut findings = Findings::default();
    let again = code!(setting, aclInit(std::ptr::null()));
    findings.equal("a second aclInit", again, sys::ACL_ERROR_REPEAT_INITIALIZE);
    let mut left = u64::MAX;
    let code = code!(setting, aclFinalizeReference(&mut left));
    findings.equal("aclFinalizeReference", code, 0);
    findings.equal("the count after it", left, 1);
    let ones = Tensor::ones(&setting.device, [3], DType::F32)?;
    findings.equal("what is computed then", ones.add(1)?.to_vec::<f32>()?, vec![2.0; 3]);
    findings
        .holds(Backend::finalize().is_err(), || "the safe layer ended although a device is open".to_owned());
    Ok(findings.answer())
}
