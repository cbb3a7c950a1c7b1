//! A row of the page.

use aclnn_sys::operators::OperatorInfo;

use super::cases::Tested;

/// What covers one operator.
pub(super) struct Row {
    pub(super) operator: &'static OperatorInfo,
    pub(super) is_emulated: bool,
    pub(super) is_safe: bool,
    pub(super) tested: Option<Tested>,
}
