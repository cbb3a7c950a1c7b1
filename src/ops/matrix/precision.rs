//! The precision with which matrices of f32 are multiplied.

use aclnn_numerics::DType::{self, F32};
use aclnn_numerics::product::Product::{Ascend310P, Ascend910};

use crate::argument_checks::Operation;
use crate::error::Result;

/// The precision of products of matrices of f32, or of two different types. Two matrices of f16, and two of bf16, are
/// always multiplied as they are.
///
/// Sums are f32 in every case. The emulator computes `Hf32` and `F32Add` as `Keep`.
#[doc(alias = "cubeMathType")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Precision {
    /// In f32. The 910 and the 310P do not multiply f32, and refuse it.
    #[doc(alias = "KEEP_DTYPE")]
    #[default]
    Keep,
    /// As fast as the device can: in f32 with shorter fractions, or in f16 on the 910 and the 310P.
    #[doc(alias = "ALLOW_FP32_DOWN_PRECISION")]
    Allow,
    /// In f16.
    #[doc(alias = "USE_FP16")]
    F16,
    /// In f32 with fractions of about ten bits.
    #[doc(alias = "USE_HF32")]
    Hf32,
    /// In f32, with long sums added up in groups.
    #[doc(alias = "USE_FP32_ADD")]
    F32Add,
}

impl Precision {
    /// The number for the library.
    #[inline]
    pub(in crate::ops) fn code(self) -> i8 {
        match self {
            Precision::Keep => 0,
            Precision::Allow => 1,
            Precision::F16 => 2,
            Precision::Hf32 => 3,
            Precision::F32Add => 4,
        }
    }

    /// Refuses what the product does not multiply.
    #[inline]
    pub(in crate::ops) fn suits(self, operation: &Operation<'_>, dtypes: [DType; 2]) -> Result<()> {
        let is_old = matches!(operation.product(), Some(Ascend910 | Ascend310P));
        let narrows = matches!(self, Precision::Allow | Precision::F16);
        if is_old && !narrows && dtypes.contains(&F32) {
            let reason =
                "this product multiplies f16 alone; `precision(Precision::F16)` lets it convert f32 to f16";
            return Err(operation.refused(reason.to_owned()));
        }
        if is_old && self == Precision::F32Add {
            return Err(operation.refused("this product has no sums in groups".to_owned()));
        }
        Ok(())
    }
}
