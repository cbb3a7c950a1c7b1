//! Conversions of elements, as the emulated product makes them.

use aclnn_numerics::DType;
use aclnn_sys::ACLNN_ERR_INNER_NULLPTR;
use cann_kernels::Conversions;

use crate::mapped::mapped;
use crate::settings;
use crate::status::{Result, Status};

/// Returns the conversions from each type of a chain to the next one.
#[inline(never)]
pub(crate) fn through(chain: &[DType]) -> Result<Conversions> {
    Conversions::through(settings::get().product, chain).ok_or_else(|| {
        let names: Vec<String> = mapped(chain, DType::to_string);
        let message = format!("there is no kernel that converts {}", names.join(" to "));
        Status::new(ACLNN_ERR_INNER_NULLPTR, message)
    })
}
