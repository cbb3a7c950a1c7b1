//! Cases that stand here as a line each: the arguments of an operator, one after the other.
//!
//! | word | argument |
//! |---|---|
//! | `own[3,4]`, `f32[4]:1..5` | a tensor of the type of the case, or of a type, that is read; whole numbers from −3 to 3, or from bounds |
//! | `i32[3]=0,2,1` | a tensor of such numbers |
//! | `>own[3,4]`, `~own[3,4]`, `?i32[2,3]` | a tensor that is written, or read and written, or that gets its sizes from the call |
//! | `{…}` | a list of one tensor |
//! | `$f32` | a type |
//! | `'text'`, `true`, `2`, `0.5`, `#0.5`, `(1,2)`, `<0.5>`, `null` | a text, a truth value, an integer, a number, a scalar of f32, an array of integers, one of numbers, null |

use std::ffi::CString;

use aclnn_numerics::DType;
use aclnn_numerics::product::Product;

use super::call::{Call, Cell, pool};
use crate::declared::Operator;
use crate::verify::case::{Argument, Class, Role, Tensor};
use crate::verify::draw::Domain;

/// The operators and their arguments.
const LINES: &[(&str, &str)] = &[
    ("AdaLayerNorm", "own[2,3,8] own[2,8] own[2,1,8] own[8] own[8] 0.00001 >own[2,3,8]"),
    (
        "AdaLayerNormBackward",
        "own[2,3,8] own[2,3,8] (8) f32[2,3]:1..3 f32[2,3] own[2,8] own[2,8] own[8] null >own[2,3,8] >own[2,8] >own[2,8] >own[8] null",
    ),
    (
        "AdaLayerNormQuant",
        "own[2,3,8]:1..9 own[2,8] own[2,8] null null null 0.00001 'dynamic' >i8[2,3,8] >f32[2,3] null",
    ),
    (
        "AdaLayerNormV2",
        "own[2,3,8] own[2,8] own[2,8] own[8] null 0.00001 >own[2,3,8] >own[2,3,1] >own[2,3,1]",
    ),
    (
        "AddLayerNormGrad",
        "own[3,8] own[3,8] own[3,8] f32[3,1]:1..3 f32[3,1] own[8] null >own[3,8] >f32[8] >f32[8]",
    ),
    (
        "AddLayerNormQuant",
        "own[3,8] own[3,8] own[8] own[8] null null null null null 'dynamic' 0.00001 false false >i8[3,8] null null >f32[3] null",
    ),
    (
        "AddLayerNormQuantV2",
        "own[3,8] own[3,8] own[8] own[8] null null null null null 'dynamic' 0.00001 true false >i8[3,8] null >own[3,8] null >f32[3] null",
    ),
    ("AddLora", "own[3,8] own[3,4] own[2,1,4,2] i32[3]=1,0,1 own[2,1,2,4] 0 0.5 2 4 >own[3,8]"),
    ("AddRmsNormCast", "own[3,8] own[3,8]:1..4 own[8] 0.00001 >f32[3,8] >own[3,8] >f32[3,1] >own[3,8]"),
    (
        "AddRmsNormDynamicMxQuant",
        "own[3,64] own[3,64] own[64] null 0.00001 0 null 36 true >f8e4m3fn[3,64] >own[3,64] >f8e8m0[3,1,2] >f32[3,1]",
    ),
    (
        "AdvanceStep",
        "~own[3]=7,8,9 own[2,1]=31,32 ~own[3]=0,4,5 ~own[3]=1,5,6 ~own[3]=9,9,9 own[3,3]=4,2,0,1,3,5,6,7,8 3 2 4",
    ),
    (
        "AdvanceStepV2",
        "~own[3]=7,8,9 own[2,1]=31,32 ~own[3]=0,4,5 ~own[3]=1,5,6 ~own[3]=9,9,9 own[3,3]=4,2,0,1,3,5,6,7,8 null null 3 2 4",
    ),
    ("AntiMxQuant", "own[3,64] f8e8m0[3,1,2]:1..1 -1 0 >f32[3,64]"),
    (
        "ApplyAdadelta",
        "own[3,4] own[3,4]:1..3 own[3,4]:1..3 #0.5 #0.5 #0.25 own[3,4] >own[3,4] >own[3,4] >own[3,4]",
    ),
    (
        "ApplyAdam",
        "~own[3,4] ~own[3,4] ~own[3,4]:1..3 own[1]=0 own[1]=0 own[1]=1 own[1]=0 own[1]=0 own[1]=1 own[3,4] false false",
    ),
    (
        "ApplyAdamD",
        "own[3,4] own[3,4] own[3,4]:1..3 own[1]=0 own[1]=0 own[1]=1 own[1]=0 own[1]=0 own[1]=1 own[3,4] false false >own[3,4] >own[3,4] >own[3,4]",
    ),
    (
        "ApplyAdamWQuant",
        "~own[8] own[8] ~u8[8]:0..0 ~u8[8]:0..0 f32[256]:0..0 f32[256]:0..0 ~f32[2]:1..1 ~f32[2]:1..1 i64[1]=1 1.0 0.0 0.0 0.0 1.0 1.0 null 4",
    ),
    (
        "ApplyAdamax",
        "own[3,4] own[3,4] own[3,4]:1..3 #0.5 #0.5 #0.5 #0.5 #0.25 own[3,4] >own[3,4] >own[3,4] >own[3,4]",
    ),
    ("ApplyFtrl", "~own[3,4] ~own[3,4]:1..3 ~own[3,4] own[3,4] own[1]=1 own[1]=1 own[1]=1 own[1]=-1 false"),
    ("ApplyGradientDescent", "~own[3,4] own[1]=2 own[3,4]"),
    ("ApplyTopKTopP", "own[3,8]:-30..30 null i32[3]=2,5,8 >own[3,8]"),
    ("AscendAntiQuant", "own[3,4]:-9..9 f16[4]:1..3 f16[4] 1 false >f16[3,4]"),
    ("BackgroundReplace", "own[3,4,3]:0..99 own[3,4,3]:0..99 own[3,4,1]:0..1 >own[3,4,3]"),
    ("BlendImagesCustom", "own[3,4,3]:0..99 own[3,4,1]:0..99 own[3,4,3]:0..99 >own[3,4,3]"),
    (
        "CIoU",
        "own[4,2]=0,1,0,1,4,5,4,3 own[4,3]=0,1,2,0,0,1,4,3,5,4,6,3 false true 'iou' >own[3,2] >own[3,2]",
    ),
    (
        "ChamferDistanceBackward",
        "own[1,3,2] own[1,4,2] i32[1,3]=0,3,1 i32[1,4]=2,2,0,1 own[1,3] own[1,4] >own[1,3,2] >own[1,4,2]",
    ),
    ("ClippedSwigluGrad", "own[3,4] own[3,8] null -1 1.0 7.0 1.0 false >own[3,8]"),
    ("ConfusionTranspose", "own[2,3,4] (1,2,0) (6,4) true >own[6,4]"),
    (
        "CrossEntropySumExpAndIndexLogit",
        "own[3,4] i64[3]=3,5,7 own[3]:3..4 4 8 >f32[3] >f32[3] >own[3,4] >i64[3] >bool[3]",
    ),
    ("DataFormatDimMap", "own[3,4]:-4..3 'NHWC' 'NCHW' >own[3,4]"),
    (
        "DeepNormGrad",
        "own[3,8] own[3,8] own[3,8] own[8] f32[3,1] f32[3,1]:1..3 0.5 >own[3,8] >own[3,8] >f32[8] >f32[8]",
    ),
    (
        "DeformableConv2d",
        "own[1,2,4,4] own[2,2,2,2] own[1,12,3,3]:-1..1 own[2] (2,2) (1,1,1,1) (0,0,0,0) (1,1,1,1) 1 1 true >own[1,2,3,3] >own[1,2,6,6]",
    ),
    (
        "DeformableConv2dBackward",
        "own[1,2,4,4] own[1,2,3,3] own[1,2,6,6] own[2,2,2,2] own[1,12,3,3]:-1..1 (2,2) (1,1,1,1) (0,0,0,0) (1,1,1,1) 1 1 true >own[1,2,4,4] >own[2,2,2,2] >own[1,12,3,3] >own[2]",
    ),
    ("DequantBias", "own[3,4]:-9..9 f32[4]:1..3 f32[3]:1..3 own[4] 1 >f16[3,4]"),
    ("DynamicBlockMxQuant", "own[64,64] null 36 0 0.0 >f8e4m3fn[64,64] >f8e8m0[64,1,2] >f8e8m0[1,64,2]"),
    ("DynamicMxQuant", "own[3,64] -1 'rint' 36 32 0 >f8e4m3fn[3,64] >f8e8m0[3,1,2]"),
    ("DynamicMxQuantV2", "own[3,64] -1 'rint' 36 32 0 0.0 >f8e4m3fn[3,64] >f8e8m0[3,1,2]"),
    ("DynamicMxQuantV3", "own[3,64] -1 'rint' 36 32 0 0.0 0.0 >f8e4m3fn[3,64] >f8e8m0[3,1,2]"),
    (
        "DynamicMxQuantWithDualAxis",
        "own[64,64] 'rint' 36 0 >f8e4m3fn[64,64] >f8e8m0[64,1,2] >f8e4m3fn[64,64] >f8e8m0[1,64,2]",
    ),
    (
        "DynamicMxQuantWithDualAxisV2",
        "own[64,64] 'rint' 36 0 0.0 >f8e4m3fn[64,64] >f8e8m0[64,1,2] >f8e4m3fn[64,64] >f8e8m0[1,64,2]",
    ),
    ("ExpSegsum", "own[2,5]:-1..0 >own[2,5,5]"),
    ("ExpSegsumBackward", "own[2,5,5] own[2,5,5] >own[2,5]"),
    ("ExpandIntoJaggedPermute", "own[3]=2,0,1 own[4]=0,2,2,6 own[4]=0,4,6,6 6 >own[6]"),
    (
        "FFN",
        "own[3,4] own[4,6] own[6,5] null own[6] own[5] null null null null null null null null 'relu' 0 >own[3,5]",
    ),
    (
        "FFNV2",
        "own[3,4] own[4,6] own[6,5] null own[6] own[5] null null null null null null null null 'relu' 0 false >own[3,5]",
    ),
    (
        "FFNV3",
        "own[3,4] own[2,4,6] own[2,6,5] i64[2]=1,3 own[2,6] own[2,5] null null null null null null null null 'relu' 0 true >own[3,5]",
    ),
    ("FatreluMul", "own[3,8] own[1]=1 >own[3,4]"),
    ("FlatQuant", "own[2,2,8] own[2,2] own[8,8] 1.0 >i32[2,2,1] >f32[2]"),
    ("FlatQuantV2", "own[2,2,8] own[2,2] own[8,8] 1.0 0.0 >i32[2,2,1] >f32[2]"),
    ("FlatQuantV3", "own[2,2,8] own[2,2] own[8,8] null 1.0 0.0 0 >i32[2,2,1] >f32[2]"),
    ("FusedMatmulGelu", "own[3,4] own[4,5] own[5] 0 >own[3,5]"),
    (
        "FusedQuantMatmul",
        "own[4,3] own[3,5] f32[4]:1..3 f32[5]:1..3 null null null null null f16[4,5] 'add' 0 >f16[4,5]",
    ),
    (
        "FusedQuantMatmulWeightNz",
        "own[4,3] own[3,5] f32[4]:1..3 f32[5]:1..3 null null null null null f16[4,5] 'add' 0 >f16[4,5]",
    ),
    ("FusedMulAddN", "own[3,4] own[3,4] own[1] >own[3,4]"),
    ("GaussianBlur", "own[4,5,2] (3,3) 0.0 0.0 4 >own[4,5,2]"),
    ("GeluMul", "own[3,8] 'none' >own[3,4]"),
    ("GeluQuant", "own[3,8] f32[8]:1..3 f32[8] 'none' 'static' 'rint' 2 >i8[3,8] null"),
    ("GroupNormSwish", "own[2,6,4] own[6] own[6] 3 'NCHW' 0.00001 true 1.0 >own[2,6,4] >own[2,3] >own[2,3]"),
    (
        "GroupNormSwishGrad",
        "own[2,6,4] f32[2,3] f32[2,3]:1..3 own[2,6,4] own[6] own[6] 3 'NCHW' 1.0 true true >own[2,6,4] >own[6] >own[6]",
    ),
    ("GroupQuant", "own[5,4] own[3,4]:1..3 i32[3]=2,2,4 own[1] 2 >i8[5,4]"),
    ("GroupedBiasAddGrad", "own[6,4] i32[3]=1,1,6 >own[3,4]"),
    ("GroupedBiasAddGradV2", "own[6,4] i32[3]=1,0,5 1 >own[3,4]"),
    ("GroupedDynamicBlockQuant", "own[4,8] i64[1]=4 0.0 null 2 1 128 0 >i8[4,8] >f32[5,1]"),
    ("GroupedDynamicBlockQuantV2", "own[4,8] i64[1]=4 0.0 null 2 1 128 0 0.0 >i8[4,8] >f32[5,1]"),
    ("GroupedDynamicMxQuant", "own[64,3] i64[1]=64 'rint' 36 32 >f8e4m3fn[64,3] >f8e8m0[2,3,2]"),
    ("GroupedDynamicMxQuantV2", "own[64,3] i64[1]=64 'rint' 36 32 0 0.0 >f8e4m3fn[64,3] >f8e8m0[2,3,2]"),
    (
        "GroupedDynamicMxQuantWithDualAxis",
        "own[64,64] i64[1]=64 null 0 36 0.0 >f8e4m3fn[64,64] >f8e8m0[64,1,2] >f8e4m3fn[64,64] >f8e8m0[2,64,2]",
    ),
    ("GroupedMatmulAdd", "own[6,3] own[6,4] i64[3]=2,2,6 ~f32[3,3,4] true false 2"),
    ("GroupedMatmulAddV2", "own[6,3] own[6,4] i64[3]=2,0,4 ~f32[3,3,4] true false 2 1"),
    (
        "GroupedMatmulFinalizeRouting",
        "own[4,3] own[2,3,5] f32[2,5]:1..3 null f32[4]:1..3 i64[2]=1,4 bf16[2,5] f32[4]:1..3 i64[4]=2,0,2,1 0 1.0 0 false false 0 >f32[3,5]",
    ),
    (
        "GroupedMatmulFinalizeRoutingV2",
        "own[4,3] own[2,3,5] f32[2,5]:1..3 null null null null f32[4]:1..3 i64[2]=1,4 bf16[2,5] f32[4]:1..3 i64[4]=2,0,2,1 0 1.0 0 false false 0 >f32[3,5]",
    ),
    (
        "GroupedMatmulFinalizeRoutingV3",
        "own[4,3] own[2,3,5] f32[2,5]:1..3 null null null null f32[4]:1..3 i64[2]=1,4 bf16[2,5] f32[4]:1..3 i64[4]=2,0,2,1 0 1.0 0 false false 0 null >f32[3,5]",
    ),
    (
        "GroupedMatmulFinalizeRoutingWeightNz",
        "own[4,3] own[2,3,5] f32[2,5]:1..3 null f32[4]:1..3 i64[2]=1,4 bf16[2,5] f32[4]:1..3 i64[4]=2,0,2,1 0 1.0 0 false false 0 >f32[3,5]",
    ),
    (
        "GroupedMatmulFinalizeRoutingWeightNzV2",
        "own[4,3] own[2,3,5] f32[2,5]:1..3 null null null null f32[4]:1..3 i64[2]=1,4 bf16[2,5] f32[4]:1..3 i64[4]=2,0,2,1 0 1.0 0 false false 0 null >f32[3,5]",
    ),
    ("GroupedQuantMax", "own[4,8] f32[2]:1..3 i64[2]=1,4 'rint' 36 >f8e4m3fn[4,8] >f32[2]"),
    ("HansDecode", "own[0] own[0] own[0] i32[256]:1..3 false >own[0]"),
    ("HansEncode", "own[0] ~i32[256]:1..3 false false >own[0] >own[0] >own[0]"),
    ("InplacePartialRotaryMul", "~own[1,2,3,12] own[1,1,3,8] own[1,1,3,8] 0 (4,12)"),
    ("Iou", "own[2,4]=0,0,4,4,1,1,5,3 own[3,4]=0,0,4,4,1,0,3,6,2,1,5,3 'iou' 1.0 false >own[3,2]"),
    ("MaskedScale", "own[3,4] u8[3,4]:0..1 0.5 >own[3,4]"),
    ("MaskedSoftmaxWithRelPosBias", "own[2,3,2,4,4] own[3,4,4] own[2,4,4] 0.5 0 >own[2,3,2,4,4]"),
    ("MhcPost", "own[3,2,4] f32[3,2,2] own[3,4] f32[3,2] >own[3,2,4]"),
    (
        "MhcPostBackward",
        "own[3,2,4] own[3,2,4] f32[3,2,2] own[3,4] f32[3,2] >own[3,2,4] >f32[3,2,2] >own[3,4] >f32[3,2]",
    ),
    ("Modulate", "own[2,3,4] own[2,4] own[2,1,4] >own[2,3,4]"),
    ("ModulateBackward", "own[2,3,4] own[2,3,4] own[2,4] own[2,4] >own[2,3,4] >own[2,4] >own[2,4]"),
    (
        "MoeFinalizeRoutingV2Grad",
        "own[3,4] i32[6]=2,0,5,4,3,1 own[6,4] own[3,2] null null 2 0 0 0 >own[6,4] >own[3,2]",
    ),
    ("MoeGatingTopKBackward", "own[3,6]:1..3 own[3,2] i32[3,2]=0,5,2,1,4,3 1 1 1.0 1.0 >own[3,6]"),
    ("MoeInitRoutingV2Grad", "own[6,4] i32[6]=2,0,5,-1,3,1 2 0 0 >own[3,4]"),
    ("MoeReRouting", "own[6,4] i32[2,3]=1,0,2,2,1,0 f32[6] 1 0 >own[6,4] >f32[6] >i32[6] >i32[3]"),
    ("MrgbaCustom", "own[3,4,3]:0..99 own[3,4,1]:0..99 >own[3,4,3]"),
    (
        "MultiScaleDeformableAttentionGrad",
        "own[1,6,2,3] i64[1,2]=2,3 i64[1]=0 own[1,4,2,1,2,2]:0..1 own[1,4,2,1,2] own[1,4,6] >own[1,6,2,3] >own[1,4,2,1,2,2] >own[1,4,2,1,2]",
    ),
    (
        "MultiScaleDeformableAttnFunction",
        "own[1,6,2,3] i64[1,2]=2,3 i64[1]=0 own[1,4,2,1,2,2]:0..1 own[1,4,2,1,2] >own[1,4,6]",
    ),
    (
        "NonMaxSuppression",
        "own[1,3,4]=0,0,4,4,1,1,5,5,9,9,12,12 own[1,1,3]=1,2,3 (2) <0.25> <0.5> 0 ?i32[2,3]",
    ),
    (
        "QuantConvolution",
        "own[1,2,5,5] own[3,2,2,2] i32[3] f32[3]:1..3 null (1,1) (0,0) (1,1) false null 1 0 'rint' >f16[1,3,4,4]",
    ),
    (
        "QuantGroupedMatmulDequant",
        "own[4,16] i8[2,16,8] f32[2,8]:1..3 i64[2]=1,4 null f32[4]=1,1,2,2 null null 'pertoken' false >own[4,8]",
    ),
    (
        "QuantGroupedMatmulDequantWeightNZ",
        "own[4,16] i8[2,16,8] f32[2,8]:1..3 i64[2]=1,4 null f32[4]=1,1,2,2 null null 'pertoken' false >own[4,8]",
    ),
    ("QuantMatmul", "own[4,3] own[3,5] i32[5] 2.0 >f16[4,5]"),
    (
        "QuantMatmulReduceSumWeightNz",
        "own[2,4,3] own[2,3,5] f32[2,4]:1..3 f32[5]:1..3 null null null null null false false 0 (0) false >f16[4,5]",
    ),
    ("QuantMatmulV2", "own[4,3] own[3,5] i32[5] u64[1]=1073741824 false false >f16[4,5]"),
    ("QuantMax", "own[4,8] f32[1]=2 'rint' 36 >f8e4m3fn[4,8] >f32[1]"),
    ("RepeatInterleaveGrad", "own[2,5,3] i64[3]=2,0,3 1 >own[2,3,3]"),
    ("Resize", "own[1,2,3,2] <2.0,2.0> 'nearest' >own[1,2,6,4]"),
    (
        "RmsNormDynamicMxQuant",
        "own[3,64] own[64] null 0.00001 0 null 36 true >f8e4m3fn[3,64] >f8e8m0[3,1,2] >f32[3,1]",
    ),
    ("RmsNormGradQuant", "own[3,8] own[3,8] f32[3]:1..3 own[8] f32[1]=1 null 'static' true >i8[3,8] >f32[8]"),
    ("RmsNormQuantV3", "own[3,8] own[8] f32[1]=1 null null 0.00001 true true >i8[3,8] >f32[3]"),
    ("RoiAlign", "own[2,3,5,6] own[2,4]=0,0,4,4,1,1,5,4 i32[2]=1,0 'avg' 2 2 2 1.0 >own[2,3,2,2]"),
    ("RoiAlignV2", "own[2,3,5,6] own[2,5]=1,0,0,4,4,0,1,1,5,4 2 2 1.0 2 true >own[2,3,2,2]"),
    (
        "RoiAlignV2Backward",
        "own[2,3,2,2] own[2,5]=1,0,0,4,4,0,1,1,5,4 (2,3,5,6) 2 2 1.0 2 true >own[2,3,5,6]",
    ),
    (
        "RoiPoolingGradWithArgMax",
        "own[2,3,2,2] ~own[2,3,4,5] own[2,5]=1,0,0,4,4,0,1,1,3,3 i32[2,3,2,2]:-1..19 2 2 1.0",
    ),
    (
        "RoiPoolingWithArgMax",
        "own[2,3,5,6] own[2,5]=1,0,0,4,4,0,1,1,5,4 2 2 1.0 1.0 >own[2,3,2,2] >i32[2,3,2,2]",
    ),
    ("RotateQuant", "own[3,16]:-9..9 own[8,8] null -1 'rint' 0 0.0 false >i8[3,16] >f32[3]"),
    ("Scale", "own[2,3,4] own[3,4] own[3,4] 1 2 true >own[2,3,4]"),
    ("ScaledMaskedSoftmax", "own[1,2,3,4] bool[1,1,3,4]:0..1 0.5 false >own[1,2,3,4]"),
    ("ScaledMaskedSoftmaxBackward", "own[1,2,3,4] own[1,2,3,4] bool[1,1,3,4]:0..1 0.5 false >own[1,2,3,4]"),
    ("ScatterDiv", "~own[4,3] i64[2]=3,1 own[2,3]:1..2 false"),
    ("ScatterList", "{~own[2,5,3]} i32[1]=2 own[1,2,2,3] null 'update' -2"),
    ("ScatterMax", "~own[4,3]:0..5 i64[2]=3,1 own[2,3]:0..5 false"),
    ("ScatterMin", "~own[4,3]:0..5 i64[2]=3,1 own[2,3]:0..5 false"),
    ("ScatterMul", "~own[4,3]:0..5 i64[2]=3,1 own[2,3]:0..5 false"),
    ("SignBitsPack", "own[16] 1 >u8[1,2]"),
    ("SignBitsUnpack", "own[2]:0..9 1 $f32 >f32[1,16]"),
    ("SilentCheck", "own[]=6 ~own[3,5] ~f32[3]=2,1,2 ~i64[1]=2 2 100.0 8.0 50.0 3.0 1 >i32[1]"),
    (
        "SilentCheckV2",
        "own[1]=2 own[1]=5 ~own[1]=1 ~own[3,5] ~i64[1]=2 (3,5) (5,1) (0) 8.0 4.0 0.5 1 >i32[1]",
    ),
    ("SimThreadExponential", "~own[3,4] 12 1.0e300 7 8"),
    ("Sinkhorn", "own[4,3] #0.001 >own[4,3]"),
    ("SortWithIndex", "own[3,8]:-30..30 i64[3,8]:0..9 1 false true >own[3,8] >i64[3,8]"),
    ("StridedSliceAssignV2", "~own[4,5] own[2,3] (0,1) (4,4) (2,1) null"),
    (
        "SwigluBackwardMxQuantWithDualAxis",
        "own[64,64] own[64,32] null true 'rint' 0 36 0.0 >f8e4m3fn[64,64] >f8e8m0[64,1,2] >f8e4m3fn[64,64] >f8e8m0[1,64,2]",
    ),
    ("SwigluClamp", "own[3,8] 2.0 >own[3,4]"),
    ("SwigluGroup", "own[3,8] f32[3] i64[2]=1,2 2.0 >own[3,4]"),
    ("SwigluGroupGrad", "own[3,4] own[3,8] f32[3] null i64[2]=1,2 2.0 >own[3,8] >f32[3]"),
    ("SwigluGroupQuantGrad", "own[3,4] own[3,8] f32[3] null i64[2]=1,2 2.0 >own[3,8] >f32[3]"),
    (
        "SwigluMxQuant",
        "own[3,128] null -1 true 0 0.0 0.0 0.0 0 -1 36 'rint' 0 0.0 >f8e4m3fn[3,64] >f8e8m0[3,1,2]",
    ),
    (
        "SwigluMxQuantWithDualAxis",
        "own[64,128] null true 'rint' 0 36 0.0 >f8e4m3fn[64,64] >f8e8m0[64,1,2] >f8e4m3fn[64,64] >f8e8m0[1,64,2]",
    ),
    (
        "SyncBatchNormGatherStats",
        "own[3,4] own[3,4]:20..30 own[3]:1..4 ~own[4] ~own[4]:1..3 0.25 0.125 >own[4] >own[4]",
    ),
    ("ThreeInterpolateBackward", "own[2,3,4] i32[2,4,3]:0..4 own[2,4,3] 5 >own[2,3,5]"),
    (
        "TopKTopPSample",
        "own[3,8]:-30..30 i32[3]=2,5,8 own[3]=1,1,1 f32[3,8]:1..9 0.0 true 32 >i64[3] >f32[3,8]",
    ),
    (
        "TopKTopPSampleV2",
        "own[3,8]:-30..30 i32[3]=2,5,8 own[3]=1,1,1 f32[3,8]:1..9 null 0.0 true 32 1024 true false >i64[3] >f32[3,8] >i64[3,8] >f32[3,8]",
    ),
    ("TransformBiasRescaleQkv", "own[2,3,12] own[12] 1 >own[2,1,3,4] >own[2,1,3,4] >own[2,1,3,4]"),
    ("TransposeBatchMatMul", "own[3,2,4] own[2,4,5] null null (1,0,2) (0,1,2) (1,0,2) 0 1 >own[3,2,5]"),
    (
        "TransposeBatchMatMulWeightNz",
        "own[2,3,4] own[2,4,5] null null (0,1,2) (0,1,2) (1,0,2) 0 2 >own[2,3,5]",
    ),
];

/// The arguments of an operator, if they stand here.
fn line(name: &str) -> Option<&'static str> {
    LINES.iter().find(|(known, _)| *known == name).map(|(_, line)| *line)
}

/// The cases of an operator whose arguments stand here.
pub(super) fn cells(operator: &Operator, product: Product) -> Option<Vec<Cell>> {
    line(operator.info.name())?;
    let takes = operator.signature.takes(product);
    let classes = [Class::Contiguous, Class::Strided, Class::Transposed];
    let cell = |dtype| Cell::new(&[dtype], if takes.contains(dtype) { &classes } else { &classes[..1] });
    Some(pool(takes).into_iter().map(cell).collect())
}

/// Adds the arguments of an operator that stand here; returns whether they do.
pub(super) fn make(call: &mut Call<'_>) -> bool {
    let Some(line) = line(call.name()) else { return false };
    for word in line.split_whitespace() {
        match argument(call, word) {
            Some(argument) => call.push(argument),
            None => call.unserved(),
        }
    }
    true
}

fn argument(call: &mut Call<'_>, word: &str) -> Option<Argument> {
    let within = |open: char, close: char| word.strip_prefix(open)?.strip_suffix(close);
    if let Some(text) = within('\'', '\'') {
        return CString::new(text).ok().map(Argument::Text);
    }
    if let Some(list) = within('(', ')') {
        return Some(Argument::Ints(numbers(list)));
    }
    if let Some(list) = within('<', '>') {
        return Some(Argument::Floats(list.split(',').filter_map(|number| number.parse().ok()).collect()));
    }
    if let Some(tensor) = within('{', '}') {
        return Some(Argument::Tensors(vec![self::tensor(call, tensor)?]));
    }
    if let Some(name) = word.strip_prefix('$') {
        return name.parse().ok().map(Argument::DType);
    }
    if let Some(value) = word.strip_prefix('#') {
        let value: f32 = value.parse().ok()?;
        return Some(Argument::Scalar(DType::F32, value.to_ne_bytes().to_vec()));
    }
    match word {
        "null" => Some(Argument::Null),
        "true" | "false" => Some(Argument::Bool(word == "true")),
        _ if word.ends_with(']') || word.contains("]=") || word.contains("]:") => {
            tensor(call, word).map(Argument::Tensor)
        }
        _ if word.contains('.') => word.parse().ok().map(Argument::Float),
        _ => word.parse().ok().map(Argument::Int),
    }
}

fn tensor(call: &mut Call<'_>, word: &str) -> Option<Tensor> {
    let role = match word.chars().next()? {
        '>' => Role::Written,
        '~' => Role::ReadAndWritten,
        '?' => Role::Sized,
        _ => Role::Read,
    };
    let (name, rest) = word.trim_start_matches(['>', '~', '?']).split_once('[')?;
    let (sizes, given) = rest.split_once(']')?;
    let dtype = if name == "own" { call.dtype(0) } else { name.parse().ok()? };
    let (dims, layout) = (numbers(sizes), call.class.layout());
    let elements = match (role, given.chars().next()) {
        (Role::Written | Role::Sized, _) => Vec::new(),
        (_, Some('=')) => {
            let numbers = numbers(given.get(1..)?);
            numbers.iter().flat_map(|number| crate::verify::elements::encode(dtype, *number as f64)).collect()
        }
        (_, bounds) => {
            let bounds = bounds.and(given.get(1..)).and_then(|bounds| bounds.split_once(".."));
            let (low, high) = bounds.unwrap_or(("-3", "3"));
            call.elements(dtype, &dims, layout, Domain::Whole(low.parse().ok()?, high.parse().ok()?))
        }
    };
    Some(Tensor::new(role, dtype, &dims, layout, elements))
}

fn numbers(list: &str) -> Vec<i64> {
    list.split(',').filter_map(|number| number.parse().ok()).collect()
}
