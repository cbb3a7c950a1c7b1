//! Configuration of an allocation, on either side.

use aclnn_sys::{ACL_RT_MEM_ATTR_VA_FLAG, aclrtMallocConfig};

use crate::entry::{Array, Out, Parameter};
use crate::runtime::code;
use crate::status::{Result, Status};

/// Reads what a caller configured; every known attribute is accepted and has no effect here.
pub(super) fn check_config(config: Out<aclrtMallocConfig>) -> Result {
    let Some(config) = config.optional().map(|config| config.read()) else { return Ok(()) };
    if config.numAttrs == 0 {
        return Ok(());
    }
    // SAFETY: the caller promised that `attrs` leads to as many attributes as it says.
    let attributes = unsafe { Array::from_c(config.attrs.cast_const()) }.read(config.numAttrs as u64);
    let attributes = attributes
        .ok_or_else(|| Status::new(code::INVALID_PARAM, "cfg has no attrs but a number of them"))?;
    match attributes.iter().find(|one| one.attr.0 > ACL_RT_MEM_ATTR_VA_FLAG.0) {
        Some(unknown) => Err(Status::new(
            code::PARAM_INVALID,
            format_args!("cfg has the unknown attribute {}", unknown.attr.0),
        )),
        None => Ok(()),
    }
}
