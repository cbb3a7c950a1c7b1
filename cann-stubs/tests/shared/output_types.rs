//! Outputs of every type, for each operator that the cases call: which of them CANN's description says are taken, and the
//! code for the others. The lists are written from it, not from the declarations.

use std::collections::BTreeMap;

use aclnn_numerics::DType::{self, *};
use aclnn_numerics::product::Product;
use aclnn_numerics::types_by_product::Types;
use aclnn_sys::{
    ACLNN_ERR_INNER_FIND_KERNEL_ERROR, ACLNN_ERR_INNER_NULLPTR, ACLNN_ERR_INNER_TILING_ERROR,
    ACLNN_ERR_PARAM_INVALID, ACLNN_ERR_PARAM_NULLPTR,
};

use super::operators::FILES;
use crate::support::Device;
use crate::support::cases::{Argument, Case, Elements, read_cases, retyped};

/// Which types of an output are taken.
#[derive(Clone, Copy)]
enum Rule {
    /// Those of the list.
    List(&'static str),
    /// Those that the library converts the type of the operands to by itself, if Cast does.
    Castable,
    /// Those of [`Castable`] that are in the list.
    CastableTo(&'static str),
    /// Those that Cast makes of the result; the others end with the code.
    Cast(i32),
    /// That of the result. Others of the list end where the result is written.
    Written(&'static str),
    /// That of the result. Others end with the code.
    Only(i32),
    /// Not asked, for the reason beside it.
    Open,
}

use Rule::*;

const F3: &str = "f32 f16 bf16";
const F4: &str = "f32 f16 f64 bf16";
const FC: &str = "f32 f16 f64 bf16 c64 c128";
const NUMBERS: &str = "f32 f16 f64 bf16 int";
const REAL: &str = "f32 f16 f64 bf16 int bool";
const B12: &str = "f32 f16 f64 bf16 int bool c64 c128";

/// Outputs that may have another type than the result: of an operator, or its argument of a number.
#[rustfmt::skip]
const RULES: &[(Rule, &str)] = &[
    // The result is computed in the type of the operands, and cast where the library converts by itself.
    (Castable, "FmodTensor RemainderTensorTensor FmodScalar RemainderTensorScalar RemainderScalarTensor AddRelu MaxN MinN
        LeftShift RightShift LeftShifts BitwiseAndTensor BitwiseOrTensor BitwiseXorTensor BitwiseAndScalar BitwiseOrScalar
        BitwiseXorScalar BitwiseNot Neg Maximum Minimum Addmv Addcmul Addcdiv PowTensorTensor PowTensorScalar
        PowScalarTensor AddN Sum SumV2 Ger DivMod DivMods DivV3 Exp Exp2 Expm1 Erf Erfc Erfinv Sqrt Tan Elu Celu LeakyRelu Softplus
        XLogYTensor XLogYScalarOther XLogYScalarSelf Xlog1py HardsigmoidBackward EluBackward LeakyReluBackward
        DropoutV3.5 DropoutV3Grad Dropout.5 DropoutDoMask DropoutBackward SmoothL1Loss L1Loss L1LossBackward NLLLoss
        NLLLoss2d NLLLossBackward Threshold Inverse Add Adds Sub Subs Rsub Rsubs Div"),
    (CastableTo(F3), "Tanh LogSumExp KlDiv KlDivBackward KlDivTargetBackward BinaryCrossEntropyBackward Prelu"),
    (CastableTo(B12), "Mul"),
    (CastableTo(F4), "Glu"),
    (CastableTo(FC), "Log Log2 Acosh SigmoidBackward"),
    (CastableTo(NUMBERS), "Clamp ClampMin ClampMax ClampTensor ClampMinTensor ClampMaxTensor"),
    (CastableTo("f32 f16 f64 bf16 int c64 c128"), "Mean"),
    (CastableTo("f32 f16 f64 bf16 int bool c64"), "Cat"),
    (CastableTo("f32 f16 f64 bf16 int uint bool c64 c128"), "Stack ChunkCat"),
    (CastableTo("f32 f64 c64 c128"), "Slogdet Logdet"),
    // The result is cast to any type of a list.
    (List(F3), "LogAddExp LogAddExp2 MseLoss MseLossOut MseLossBackward SmoothL1LossBackward SoftMarginLoss
        SoftMarginLossBackward Mm Matmul MatmulWeightNz BatchMatMul BatchMatMulWeightNz Addmm AddmmWeightNz Gemm Baddbmm Addbmm Convolution ConvolutionBackward QuantConvolution LayerNorm
        LayerNormWithImplMode FastLayerNorm.6 FastLayerNorm.7 LayerNormBackward EmbeddingDenseBackward Hardswish
        Hardshrink Softshrink MishBackward HardtanhBackward HardshrinkBackward VarCorrection Std Var
        BatchNormGatherStatsWithCounts BatchNormReduceBackward FastBatchNormBackward BatchNormBackward.10
        FusedCrossEntropyLossWithMaxSum.8"),
    (List("f32 f16"), "Shrink VarMean"),
    (List("f32 f16 bf16 i8 i32"), "Selu"),
    (List(F4), "Log1p Asin Acos Atan Sinc SoftplusBackward Lerps LogSpace NormalFloatFloat NormalTensorFloat
        NormalFloatTensor NormalTensorTensor Softmax LogSoftmax"),
    (List(FC), "Rsqrt Reciprocal Sigmoid Sin Cos Sinh Cosh Asinh Atanh"),
    (List("f32 f16 f64 c64 c128"), "LinalgQr Qr"),
    (List("f32 f16 f64 bf16 int uint bool"), "Signbit LtTensor LtScalar GtTensor GtScalar GeTensor GeScalar"),
    (List("f32 f16 f64 bf16 int u16 bool"), "LeTensor LeScalar"),
    (List(B12), "Muls EqTensor EqScalar NeTensor NeScalar LogicalXor SplitTensor SplitWithSize"),
    (List("f32 f16 f64 bf16 int uint bool c64 c128"), "LogicalOr"),
    (List(REAL), "LogicalNot Max Min Cummax.2 Cummin.2 Addr MaskedSelect Sort.4 AddrV2"),
    (List("f32 f16 f64 bf16 int bool c64"), "DiagFlat"),
    (List("f32 f16 bf16 int bool"), "Eye"),
    (List(NUMBERS), "Randperm Linspace"),
    (List("f32 f16 f64 bf16 i32 i64"), "Arange Range"),
    (List("int uint"), "Gcd"),
    (List("bool u8"), "All Any"),
    (List("i32 i64"), "MaxPool2dWithIndices.7 ArgMin Cummax.3 Cummin.3"),
    (List("f32 f64 i32 i64"), "Bincount"),
    (List("i64 u64"), "TransQuantParamV2 TransQuantParamV3"),
    // The type is not looked at; whatever Cast does not make fails inside.
    (Cast(ACLNN_ERR_INNER_NULLPTR), "LogicalAnd ArgMax Atan2 SoftmaxBackward LogSoftmaxBackward GeluBackward Im2col
        FloorDivide FloorDivides"),
    (Cast(ACLNN_ERR_PARAM_NULLPTR), "MaxDim.4 MinDim.4"),
    // Nothing casts the result.
    (Written(F3), "FastLayerNorm.5 Heaviside SoftshrinkBackward BatchNorm.8 MoeGatingTopK.13 MoeGatingTopKV2.15
        ScaledMaskedSoftmaxBackward.5"),
    (Written("f32 f16"), "ReduceLogSum"),
    (Written("f32 f16 bf16 i8 u8 i32 u32"), "NpuFormatCast"),
    (Only(ACLNN_ERR_INNER_NULLPTR), "IsClose Cast"),
    // Phase one does not look whether the kernel was launched, so that phase two finds out.
    (Only(ACLNN_ERR_INNER_FIND_KERNEL_ERROR), "MoeInitRoutingV3.13 MoeInitRoutingV3.14 MoeInitRoutingV3.15
        MoeInitRoutingV3.16"),
    // Operators without a phase one of their own.
    (Only(ACLNN_ERR_INNER_TILING_ERROR), "FusedInferAttentionScore.29 FusedInferAttentionScoreV2.38
        FusedInferAttentionScoreV3.41 FusedInferAttentionScoreV4.44 FusedInferAttentionScoreV5.47
        FlashAttentionScore.16 FlashAttentionScore.17 FlashAttentionScoreV2.19 FlashAttentionScoreV2.20
        FlashAttentionScoreV3.20 FlashAttentionScoreV3.21 FlashAttentionVarLenScore.18
        FlashAttentionVarLenScore.19 FlashAttentionVarLenScoreV2.21 FlashAttentionVarLenScoreV2.22
        FlashAttentionVarLenScoreV4.19 FlashAttentionVarLenScoreV4.20 FlashAttentionVarLenScoreV5.25
        FlashAttentionVarLenScoreV5.26 DynamicBlockQuant.6 DynamicBlockQuantV2.7
        FlashAttentionScoreGradV3.29 FlashAttentionUnpaddingScoreGradV5.36 FlashAttentionVarLenScoreV3.23
        FlashAttentionVarLenScoreV3.24 SparseFlashAttention.19 SparseFlashAttention.20 SparseFlashAttentionV2.20
        SparseFlashAttentionV2.21"),
    (Only(ACLNN_ERR_INNER_NULLPTR), "AttentionUpdate.3 AttentionUpdate.4 QkvRmsNormRopeCache.17 QkvRmsNormRopeCache.18 QkvRmsNormRopeCache.19
        SilentCheck.10 SilentCheckV2.12"),
    // Bool operands are not cast, so that it depends on them.
    (Open, "SWhere"),
    // Statistics that are not written in some modes are not looked at there.
    (Open, "BatchNorm.9 BatchNorm.10 BatchNormBackward.11 BatchNormBackward.12 AddLayerNorm
        NLLLoss.6 NLLLoss2d.6"),
    // The types of several outputs and scales decide together.
    (Open, "CrossEntropySumExpAndIndexLogit.7 CrossEntropySumExpAndIndexLogit.8 CrossEntropySumExpAndIndexLogit.9
        QuantMatmulV3 QuantMatmulV4 QuantMatmulV5 QuantMatmulWeightNz GroupedMatmulV2 GroupedMatmulV3 GroupedMatmulV4
        GroupedMatmulV5 GroupedMatmulWeightNz DynamicQuant.2 DynamicQuantV2.4 AscendQuant AscendQuantV3
        FusedQuantMatmul FusedQuantMatmulWeightNz AddRmsNormQuant AddRmsNormQuantV2 AddRmsNormDynamicQuant AddRmsNormDynamicQuantV2 RmsNormQuant SwiGluQuantV2 ForeachCopy BinaryCrossEntropy"),
    // Integers of four bits are taken, but the emulator does not compute them.
    (Open, "MoeInitRoutingQuantV2.11"),
    (Open, "RotateQuant.8"),
    // The operand is promoted with the output, or the output must be cast to it, which the cases of both have.
    (Open, "Norm Histc"),
    // Not described.
    (Open, "MultilabelMarginLoss AdaptiveMaxPool3d"),
];

/// Whether Cast of the 910B makes one type of another.
fn has_kernel(from: DType, to: DType) -> bool {
    let types = listed("f32 f16 f64 bf16 int uint bool c64 c128");
    from == to || types(from) && types(to)
}

fn listed(list: &'static str) -> impl Fn(DType) -> bool {
    let types = Types::of(list).on(Product::Ascend910B);
    move |dtype| types.contains(dtype)
}

/// The three refusals of CanCast; what is neither a number nor a truth value passes.
fn can_cast(from: DType, to: DType) -> bool {
    let is_complex = |dtype| matches!(dtype, C32 | C64 | C128);
    let is_whole = |dtype| matches!(dtype, I4 | U1 | I8 | U8 | I16 | U16 | I32 | U32 | I64 | U64);
    let is_float = |dtype: DType| !is_complex(dtype) && !is_whole(dtype) && !matches!(dtype, Bool | String);
    !(is_complex(from) && !is_complex(to) || is_float(from) && is_whole(to) || from != Bool && to == Bool)
}

impl Rule {
    /// The code for an output of type `out` of a result of type `own`; `None` where it is not asked.
    fn code(self, own: DType, operands: Option<DType>, out: DType) -> Option<i32> {
        let cast = |from| if has_kernel(from, out) { 0 } else { ACLNN_ERR_INNER_NULLPTR };
        let valid = |is_valid, then| if is_valid { then } else { ACLNN_ERR_PARAM_INVALID };
        // A result of another type than the operands may be one that was cast.
        let of_operands = || operands.filter(|operands| *operands == own);
        Some(match self {
            List(list) => valid(listed(list)(out), 0),
            Castable => of_operands().map(|from| valid(can_cast(from, out), cast(from)))?,
            CastableTo(list) => {
                of_operands().map(|from| valid(can_cast(from, out) && listed(list)(out), 0))?
            }
            Cast(code) => {
                if has_kernel(own, out) {
                    0
                } else {
                    code
                }
            }
            Written(list) => match out == own {
                true => 0,
                false => valid(listed(list)(out), ACLNN_ERR_INNER_NULLPTR),
            },
            Only(code) => {
                if out == own {
                    0
                } else {
                    code
                }
            }
            Open => return None,
        })
    }
}

/// Calls of the operators whose cases have files of another form.
fn of_arithmetic() -> Vec<Case> {
    let of_type = |dtype: DType| {
        let elements = Elements { bytes: vec![1; 2 * dtype.bits() / 8], ..Elements::of_dims(dtype, &[2]) };
        let tensor = || Argument::Tensor(elements.clone());
        let out = || Argument::Out { expected: elements.clone(), ulps: 0.0 };
        let scalar = || Argument::Scalar(dtype, vec![1; dtype.bits() / 8]);
        let [from, to, step] =
            [0.0, 2.0, 1.0].map(|value: f64| Argument::Scalar(F64, value.to_ne_bytes().into()));
        let mut calls = vec![
            ("Add", vec![tensor(), tensor(), scalar(), out()]),
            ("Adds", vec![tensor(), scalar(), scalar(), out()]),
            ("Sub", vec![tensor(), tensor(), scalar(), out()]),
            ("Subs", vec![tensor(), scalar(), scalar(), out()]),
            ("Mul", vec![tensor(), tensor(), out()]),
            ("Muls", vec![tensor(), scalar(), out()]),
            ("Div", vec![tensor(), tensor(), out()]),
            ("Cast", vec![tensor(), Argument::DType(dtype), out()]),
        ];
        if dtype != Bool {
            calls.push(("Rsub", vec![tensor(), tensor(), scalar(), out()]));
            calls.push(("Rsubs", vec![tensor(), scalar(), scalar(), out()]));
        }
        if dtype == F32 {
            calls.push(("Arange", vec![from.clone(), to.clone(), step.clone(), out()]));
            calls.push(("Range", vec![from.clone(), to.clone(), step, out()]));
            calls.push(("Linspace", vec![from, to, Argument::Int(2), out()]));
        }
        calls.into_iter().map(|(operator, arguments)| Case {
            operator: operator.to_owned(),
            product: PRODUCT.to_owned(),
            code: 0,
            arguments,
        })
    };
    [Bool, F32, I32, C64].into_iter().flat_map(of_type).collect()
}

/// The product that the tests emulate.
const PRODUCT: &str = "Ascend910B";

#[test]
fn outputs_of_another_type_are_taken_where_cann_takes_them() {
    let _device = Device::set();
    let mut rules: BTreeMap<&str, Rule> = BTreeMap::new();
    for (rule, outputs) in RULES {
        for output in outputs.split_whitespace() {
            assert!(rules.insert(output, *rule).is_none(), "{output} is listed twice");
        }
    }
    let (mut wrong, mut asked, mut unused) = (Vec::new(), 0, rules.clone());
    let files = FILES.iter().map(|file| (read_cases(file), 2)).chain([(of_arithmetic(), 4)]);
    for call in files.flat_map(|(cases, most)| retyped::with_outputs_of_each_type(&cases, PRODUCT, most)) {
        let output = format!("{}.{}", call.operator, call.number);
        let name = if rules.contains_key(output.as_str()) { &output } else { &call.operator };
        unused.remove(name.as_str());
        let found = rules.get(name.as_str());
        let rule = found.copied().unwrap_or(Only(ACLNN_ERR_PARAM_INVALID));
        let Some(code) = rule.code(call.own, call.operands, call.out) else { continue };
        asked += 1;
        if call.code != code {
            let operands = call.operands.map_or_else(|| "several types".to_owned(), |own| own.to_string());
            let (own, out, is) = (call.own, call.out, call.code);
            wrong.push(format!("{output}: {own} of {operands} into {out} is {is}, not {code}"));
        }
    }
    assert!(unused.is_empty(), "no case has {:?}", unused.keys());
    assert!(asked > 10_000, "{asked} outputs were asked");
    assert!(wrong.is_empty(), "{} outputs, among them:\n{}", wrong.len(), wrong.join("\n"));
}
