//! Operators that programs look up when they are loaded, and that the emulator does not compute: both functions of each
//! are there and refuse.
//!
//! An operator that gets built leaves this list.

use aclnn_sys::ACLNN_ERR_INNER_FIND_KERNEL_ERROR;

use crate::entry::Outcome;
use crate::status::Status;

/// Why the function called `entry` refuses.
fn refuse(entry: &'static str) -> i32 {
    let message = "the emulator does not compute this operator; run this part of the program on a device";
    i32::refused(entry, Status::new(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, message))
}

/// Declares both functions of each operator. They read none of their arguments, so their parameters do not matter.
macro_rules! refused {
    ($($name:ident)*) => {
        $(
            #[allow(non_snake_case)]
            mod $name {
                #[cfg_attr(
                    feature = "drop-in",
                    unsafe(export_name = concat!("cann_stubs_aclnn", stringify!($name), "GetWorkspaceSize"))
                )]
                pub(super) extern "C" fn plan() -> i32 {
                    super::refuse(concat!("aclnn", stringify!($name), "GetWorkspaceSize"))
                }

                #[cfg_attr(feature = "drop-in", unsafe(export_name = concat!("cann_stubs_aclnn", stringify!($name))))]
                pub(super) extern "C" fn launch() -> i32 {
                    super::refuse(concat!("aclnn", stringify!($name)))
                }
            }
        )*

        pub(super) const SYMBOLS: &[$crate::entry::EntryPoint] = &[$(
            // SAFETY: it reads none of its arguments.
            unsafe {
                $crate::entry::EntryPoint::new(
                    concat!("aclnn", stringify!($name), "GetWorkspaceSize"),
                    $name::plan as *const (),
                    $crate::surface::Support::Refuses(ACLNN_ERR_INNER_FIND_KERNEL_ERROR),
                )
            },
            // SAFETY: as above.
            unsafe {
                $crate::entry::EntryPoint::new(
                    concat!("aclnn", stringify!($name)),
                    $name::launch as *const (),
                    $crate::surface::Support::Refuses(ACLNN_ERR_INNER_FIND_KERNEL_ERROR),
                )
            },
        )*];

        #[cfg(test)]
        const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

refused! {
    Abs Acos Acosh AddRmsNorm All Amax Amin Any ArgMax Argsort Asin Asinh Atan Atan2 Atanh AvgPool2d
    BatchMatMul BernoulliTensor CalculateMatmulWeightSizeV2 Cat Ceil Clamp ClampMax ClampMaxTensor ClampMin
    ClampMinTensor ClampTensor ConstantPadNd Convolution Cos Cosh Cumprod Cumsum DivMod Dot Einsum Elu
    EqScalar EqTensor Exp Exp2 Expm1 Eye Flatten Floor FloorDivide FmodTensor ForeachMulScalar
    FusedInferAttentionScoreV2 GatherV2 Gcd GeGluV3 GeScalar GeTensor Gelu GeluV2 GroupNorm GtScalar
    GtTensor Hardsigmoid Hardswish Heaviside Im2col IndexSelect InplaceClampMax InplaceCos InplaceExp
    InplaceIndexCopy InplaceLog InplaceNormal InplaceReciprocal InplaceSin InplaceSqrt InplaceTan
    InplaceThreshold InplaceTriu InplaceUniform Inverse IsFinite IsInf IsNegInf IsPosInf LayerNorm LeScalar
    LeTensor LeakyRelu LinalgCross LinalgQr Log Log10 Log1p Log2 LogAddExp LogAddExp2 LogicalAnd LogicalNot
    LogicalOr LogicalXor LtScalar LtTensor Matmul Max MaxPool Maximum Mean Min Minimum Mm Mv NanToNum
    NeScalar NeTensor Neg Norm NormalFloatFloat Permute PowScalarTensor PowTensorScalar PowTensorTensor Prod
    ProdDim Real Reciprocal ReduceNansum ReduceSum ReflectionPad1d Relu RemainderTensorTensor Repeat
    RepeatInterleaveIntWithDim RmsNorm RotaryPositionEmbedding Round RoundDecimals Sigmoid Sign Signbit Silu
    Sin Sinc Sinh Slice Slogdet Softmax SoftmaxCrossEntropyWithLogits Softplus Sort Sqrt SwiGlu Tan Tanh
    TransMatmulWeight TriangularSolve Tril Triu Trunc UpsampleNearest2d WeightQuantBatchMatmulV2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_operator_is_both_declared_and_refused() {
        let declared = |name: &&&str| aclnn_sys::operators::all().any(|operator| operator.name == **name);
        let both: Vec<_> = NAMES.iter().filter(declared).collect();
        assert!(both.is_empty(), "these are built, so they leave the list: {both:?}");
        assert!(NAMES.is_sorted());
    }
}
