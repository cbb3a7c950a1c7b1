//! Functions of each element whose result replaces the elements of their first operand.

use aclnn::Scalar;
use aclnn::ops::{self, BinaryInPlace};

use super::function::{Function, functions};
use super::operation::{InPlace, changed};

/// Expands to functions of one tensor, each with its operator.
macro_rules! alone {
    ($($function:ident $Form:ident;)*) => {
        functions! {
            $($function(own: target)[$Form] => changed(own, |own| own.$function());)*
        }
    };
}

/// Expands to functions of a tensor and another operand, each with its operators.
macro_rules! with_other {
    ($($function:ident $($Form:ident)+;)*) => {
        functions! {
            $($function(own: target, other: operand)[$($Form)+] =>
                InPlace(ops::$function(&mut own.clone(), other), own);)*
        }
    };
}

mod unary {
    use super::*;

    alone! {
        exp_in_place InplaceExp;
        exp2_in_place InplaceExp2;
        expm1_in_place InplaceExpm1;
        log_in_place InplaceLog;
        log2_in_place InplaceLog2;
        log10_in_place InplaceLog10;
        log1p_in_place InplaceLog1p;
        sqrt_in_place InplaceSqrt;
        rsqrt_in_place InplaceRsqrt;
        reciprocal_in_place InplaceReciprocal;
        sigmoid_in_place InplaceSigmoid;
        sin_in_place InplaceSin;
        cos_in_place InplaceCos;
        tan_in_place InplaceTan;
        asin_in_place InplaceAsin;
        acos_in_place InplaceAcos;
        atan_in_place InplaceAtan;
        sinh_in_place InplaceSinh;
        cosh_in_place InplaceCosh;
        tanh_in_place InplaceTanh;
        asinh_in_place InplaceAsinh;
        acosh_in_place InplaceAcosh;
        atanh_in_place InplaceAtanh;
        erf_in_place InplaceErf;
        erfc_in_place InplaceErfc;
        erfinv_in_place InplaceErfinv;
        floor_in_place InplaceFloor;
        ceil_in_place InplaceCeil;
        trunc_in_place InplaceTrunc;
        frac_in_place InplaceFrac;
        round_in_place InplaceRound;
        negative_in_place InplaceNeg;
        sinc_in_place InplaceSinc;
        logical_not_in_place InplaceLogicalNot;
        relu_in_place InplaceRelu;
        mish_in_place InplaceMish;
        hard_swish_in_place InplaceHardswish;
        hard_sigmoid_in_place InplaceHardsigmoid;
        selu_in_place InplaceSelu;
    }
}

mod binary {
    use super::*;

    with_other! {
        mul_in_place InplaceMul InplaceMuls;
        div_in_place InplaceDiv InplaceDivs;
        div_trunc_in_place InplaceDivMod InplaceDivMods;
        floor_divide_in_place InplaceFloorDivide InplaceFloorDivides;
        fmod_in_place InplaceFmodTensor InplaceFmodScalar;
        remainder_in_place InplaceRemainderTensorTensor InplaceRemainderTensorScalar;
        pow_in_place InplacePowTensorTensor InplacePowTensorScalar;
        xlogy_in_place InplaceXLogYTensor InplaceXLogYScalarOther;
        eq_in_place InplaceEqTensor InplaceEqScalar;
        ne_in_place InplaceNeTensor InplaceNeScalar;
        lt_in_place InplaceLtTensor InplaceLtScalar;
        le_in_place InplaceLeTensor InplaceLeScalar;
        gt_in_place InplaceGtTensor InplaceGtScalar;
        ge_in_place InplaceGeTensor InplaceGeScalar;
        bitwise_and_in_place InplaceBitwiseAndTensor InplaceBitwiseAndScalar;
        bitwise_or_in_place InplaceBitwiseOrTensor InplaceBitwiseOrScalar;
        bitwise_xor_in_place InplaceBitwiseXorTensor InplaceBitwiseXorScalar;
        logical_and_in_place InplaceLogicalAnd;
        logical_or_in_place InplaceLogicalOr;
        atan2_in_place InplaceAtan2;
    }
}

mod others {
    use super::*;

    functions! {
        add_in_place(own: target, other: operand, alpha: optional_scalar)[InplaceAdd InplaceAdds] =>
            InPlace(scaled(ops::add_in_place(&mut own.clone(), other), alpha), own);
        sub_in_place(own: target, other: operand, alpha: optional_scalar)[InplaceSub InplaceSubs] =>
            InPlace(scaled(ops::sub_in_place(&mut own.clone(), other), alpha), own);
        clamp_in_place(own: target, min: operand, max: operand)[] =>
            changed(own, |own| own.clamp_in_place(min, max));
        clamp_min_in_place(own: target, min: operand)[InplaceClampMinTensor] =>
            changed(own, |own| own.clamp_min_in_place(min));
        clamp_max_in_place(own: target, max: operand)[InplaceClampMax InplaceClampMaxTensor] =>
            changed(own, |own| own.clamp_max_in_place(max));
        hard_tanh_in_place(own: target, min: scalar, max: scalar)[InplaceHardtanh] =>
            changed(own, |own| own.hard_tanh_in_place(min, max));
        threshold_in_place(own: target, threshold: scalar, value: scalar)[InplaceThreshold] =>
            changed(own, |own| own.threshold_in_place(threshold, value));
        leaky_relu_in_place(own: target, slope: scalar)[InplaceLeakyRelu] =>
            changed(own, |own| own.leaky_relu_in_place(slope));
        elu_in_place(own: target, alpha: scalar, scale: scalar, input_scale: scalar)[InplaceElu] =>
            changed(own, |own| own.elu_in_place(alpha, scale, input_scale));
        celu_in_place(own: target, alpha: scalar)[InplaceCelu] =>
            changed(own, |own| own.celu_in_place(alpha));
        nan_to_num_in_place(own: target, nan: f32, positive: f32, negative: f32)[InplaceNanToNum] =>
            changed(own, |own| own.nan_to_num_in_place(nan, positive, negative));
        round_decimals_in_place(own: target, decimals: i64)[InplaceRoundDecimals] =>
            changed(own, |own| own.round_decimals_in_place(decimals));
        addcmul_in_place(own: target, tensor1: tensor, tensor2: tensor, value: scalar = "1")[InplaceAddcmul] =>
            changed(own, |own| own.addcmul_in_place(tensor1, tensor2, value));
        addcdiv_in_place(own: target, tensor1: tensor, tensor2: tensor, value: scalar = "1")[InplaceAddcdiv] =>
            changed(own, |own| own.addcdiv_in_place(tensor1, tensor2, value));
        lerp_in_place(own: target, end: tensor, weight: operand)[InplaceLerp InplaceLerps] =>
            changed(own, |own| own.lerp_in_place(end, weight));
        cumprod_in_place(own: target, axis: axis = "-1")[InplaceCumprod] =>
            changed(own, |own| own.cumprod_in_place(axis));
    }
}

/// Returns the lists of the functions.
pub(super) fn lists() -> [&'static [Function]; 3] {
    [others::FUNCTIONS, unary::FUNCTIONS, binary::FUNCTIONS]
}

fn scaled<'a>(operation: BinaryInPlace<'a, true>, alpha: Option<Scalar>) -> BinaryInPlace<'a, true> {
    match alpha {
        Some(alpha) => operation.alpha(alpha),
        None => operation,
    }
}
