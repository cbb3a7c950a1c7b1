//! The failure of a call whose argument names no live object.

use aclnn_sys::{ACLNN_ERR_PARAM_INVALID, ACLNN_ERR_PARAM_NULLPTR};

use crate::handle::Dangling;
use crate::status::Status;

/// The failure about the argument `what`: null has a code of its own.
#[inline(never)]
pub(crate) fn dangling(what: &str, why: Dangling) -> Status {
    let code = if why == Dangling::Null { ACLNN_ERR_PARAM_NULLPTR } else { ACLNN_ERR_PARAM_INVALID };
    why.status(code, what)
}
