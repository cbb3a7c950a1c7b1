//! Allowed distances of a result from the reference, as one table.
//!
//! NaN equals NaN, whatever its payload. Integers and bool are equal or wrong. A float is within so many units in the last
//! place of the expected number; where that is small because larger numbers cancelled, a unit is that of the row's
//! `least` number. A complex number counts by the unit of its larger part.

use aclnn_numerics::DType;

use crate::declared::Operator;

/// The tolerance of an operator.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Tolerance {
    /// Units in the last place of f32.
    pub(crate) single: f64,
    /// Those of f16 and bf16.
    pub(crate) half: f64,
    /// Those of f64.
    pub(crate) double: f64,
    /// Those of complex numbers.
    pub(crate) complex: f64,
    /// The least number whose unit counts.
    pub(crate) least: f64,
    /// Whether the error of a sum comes on top: the unit of the greatest element, times the elements of each result
    /// squared.
    pub(crate) sums: bool,
    /// Whether −0 and +0 differ.
    pub(crate) signed_zero: bool,
    /// Whether what is computed in f32 or f64 is rounded to a half once, at the end.
    pub(crate) once: bool,
}

impl Tolerance {
    /// Returns whether every float has to be the same.
    pub(crate) fn is_exact(&self) -> bool {
        self.single == 0.0 && !self.sums
    }

    /// The same tolerance for operands of these types: a half that is not computed in halves is exact where it is rounded
    /// once.
    pub(crate) fn of_operands(self, mut types: impl Iterator<Item = DType>) -> Self {
        let is_wide = self.once && types.any(|dtype| matches!(dtype, DType::F32 | DType::F64));
        Self { half: if is_wide { self.single } else { self.half }, ..self }
    }

    /// The units in the last place of a type.
    pub(crate) fn units(&self, dtype: DType) -> f64 {
        match dtype {
            DType::F32 => self.single,
            DType::F16 | DType::BF16 => self.half,
            DType::F64 => self.double,
            DType::C32 | DType::C64 | DType::C128 => self.complex,
            _ => 0.0,
        }
    }
}

const EXACT: Tolerance = Tolerance {
    single: 0.0,
    half: 0.0,
    double: 0.0,
    complex: 0.0,
    least: 0.0,
    sums: false,
    signed_zero: true,
    once: false,
};

const fn units(single: f64, half: f64, double: f64, complex: f64) -> Tolerance {
    Tolerance { single, half, double, complex, least: 0.0, sums: false, signed_zero: false, once: false }
}

/// The families or functions of a row, its tolerance, and the reason.
type Row = (&'static [&'static str], Tolerance, &'static str);

/// The first row that names the function or the family of an operator counts.
const TABLE: &[Row] = &[
    (
        &[
            "maximum",
            "minimum",
            "max_n",
            "min_n",
            "clamp",
            "clamp_min",
            "clamp_max",
            "clamp_tensor",
            "clamp_min_tensor",
            "clamp_max_tensor",
            "hard_tanh",
            "relu",
            "sign",
            "trunc",
            "round",
            "frac",
            "floor",
            "ceil",
            "heaviside",
            "max",
            "min",
            "amax",
            "amin",
            "aminmax",
            "max_dim",
            "min_dim",
            "cummax",
            "cummin",
        ],
        Tolerance { signed_zero: false, ..EXACT },
        "a result is an operand or a whole number; which of two zeros is greater is not described",
    ),
    (
        &["linalg"],
        Tolerance { least: 0.0625, ..units(64.0, 4.0, 4096.0, 256.0) },
        "tens of roundings in a type that is not described, of matrices that are far from singular",
    ),
    (
        &["gating_top_k_softmax", "gating_top_k_softmax_v2", "gating_top_k"],
        Tolerance { least: 0.0625, ..units(32.0, 4.0, 64.0, 256.0) },
        "exponentials of a device in f32, and their quotients",
    ),
    (
        &["init_routing_quant"],
        Tolerance { signed_zero: false, ..units(2.0, 1.0, 1.0, 1.0) },
        "a quotient in f32, which is then rounded to a step",
    ),
    (
        &["experts"],
        Tolerance { signed_zero: false, ..EXACT },
        "rows are copied, or elements are whole and so small that every sum is exact",
    ),
    (&["matrix", "convolution", "fused"], EXACT, "elements are whole and so small that every sum is exact"),
    (
        &["dropout_do_mask", "dropout_backward", "rrelu"],
        units(1.0, 1.0, 0.0, 0.0),
        "a product, or a quotient that may be a product with the inverse",
    ),
    (
        &[
            "dequant_swiglu_quant",
            "swi_glu_quant",
            "clipped_swiglu",
            "add_rms_norm_quant",
            "add_rms_norm_dynamic_quant",
            "rms_norm_quant",
            "rms_norm_dynamic_quant",
            "grouped_matmul_swiglu_quant",
        ],
        units(8.0, 1.0, 0.0, 0.0),
        "an exponential or a root and a sum of squares in f32; codes are far from halves",
    ),
    (&["quantisation"], EXACT, "steps are powers of two, so that nothing is rounded but to steps"),
    (&["random"], EXACT, "parameters leave one number that can be drawn"),
    (
        &[
            "movement",
            "conversion",
            "fill",
            "sorting",
            "index",
            "approximate_equal",
            "sign_bits_pack",
            "sign_bits_unpack",
            "data_format_dim_map",
            "expand_into_jagged_permute",
        ],
        EXACT,
        "elements are copied, converted by stated roundings, or combined from numbers that every sum holds exactly",
    ),
    (
        &[
            "comparison",
            "logical_and",
            "logical_or",
            "logical_xor",
            "logical_not",
            "gcd",
            "right_shift",
            "is_close",
            "equal",
            "is_in_tensor_scalar",
            "is_in_scalar_tensor",
            "all",
            "any",
            "argmax",
            "argmin",
            "histc",
            "signbit",
            "is_finite",
            "is_pos_inf",
            "is_neg_inf",
            "is_inf",
            "bitwise_not",
            "bitwise_and_out",
        ],
        EXACT,
        "results are bool or integers",
    ),
    (
        &[
            "where_",
            "complex",
            "real",
            "negative",
            "abs",
            "nan_to_num",
            "threshold",
            "threshold_backward",
            "hard_shrink",
            "hard_shrink_backward",
            "hard_tanh_backward",
            "soft_shrink_backward",
        ],
        EXACT,
        "a result is an operand, an attribute or zero, at most with another sign",
    ),
    (
        &["add", "add_relu", "sub", "rsub", "mul", "div", "add_v3", "square"],
        Tolerance { signed_zero: true, once: true, ..units(0.0, 1.0, 0.0, 4.0) },
        "f32 and f64 are rounded once; whether halves are computed in f32 depends on the product; complex products are sums",
    ),
    (
        &["floor_divide", "fmod", "remainder", "div_mod"],
        Tolerance { least: 128.0, ..units(2.0, 2.0, 2.0, 4.0) },
        "what a quotient leaves has the error of the operands, which are up to 100",
    ),
    (
        &[
            "lerp",
            "addcmul",
            "addcdiv",
            "add_n",
            "leaky_relu",
            "prelu",
            "soft_shrink",
            "shrink",
            "hard_swish",
            "hard_sigmoid",
            "hard_swish_backward",
            "hard_swish_backward_v2",
            "hard_sigmoid_backward",
            "leaky_relu_backward",
        ],
        Tolerance { least: 1.0, ..units(4.0, 2.0, 4.0, 8.0) },
        "a few products and sums, fused or not",
    ),
    (
        &["caches"],
        Tolerance { least: 0.5, ..units(16.0, 2.0, 1.0, 0.0) },
        "a norm and a rotation in f32, then rounded, to a step of integers too",
    ),
    (
        &["models"],
        Tolerance { least: 0.5, ..units(64.0, 16.0, 0.0, 0.0) },
        "sums and exponentials in f32, of which a device may round those of halves in between",
    ),
    (
        &["attention", "attention_steps", "sparse"],
        Tolerance { least: 0.5, ..units(64.0, 16.0, 0.0, 0.0) },
        "means weighted by approximations of a device in f32, of which the weights may be rounded to halves",
    ),
    (
        &["sqrt", "rsqrt", "reciprocal", "foreach_sqrt", "foreach_reciprocal"],
        units(4.0, 1.0, 2.0, 64.0),
        "single instructions and one correction",
    ),
    (
        &["pow", "logspace"],
        units(128.0, 4.0, 128.0, 256.0),
        "the error of the logarithm is multiplied by the exponent and the base's size",
    ),
    (
        &["range"],
        Tolerance { least: 1.0, ..units(4.0, 2.0, 4.0, 0.0) },
        "a product and a sum; the number of each element is exact",
    ),
    (
        &[
            "exp", "exp2", "expm1", "erf", "erfc", "tanh", "sigmoid", "atan", "asin", "acos", "sinh", "cosh",
            "asinh", "sinc",
        ],
        units(16.0, 2.0, 16.0, 128.0),
        "approximations of a device in f32, then rounded",
    ),
    (
        &["unary", "atan2", "polar", "xlogy", "xlog1py", "logaddexp", "logaddexp2", "parametric"],
        Tolerance { least: 0.0625, ..units(32.0, 4.0, 64.0, 256.0) },
        "approximations of a device in f32, of terms up to 1 that may cancel",
    ),
    (
        &["normalization", "prelu_backward"],
        Tolerance { sums: true, least: 1.0, ..units(64.0, 4.0, 128.0, 128.0) },
        "sums whose order is not described, and what they scale; gradients are differences of terms up to 4",
    ),
    (
        &["recurrent"],
        Tolerance { least: 0.25, ..units(64.0, 8.0, 0.0, 0.0) },
        "approximations of a device in f32 and their products, which may cancel; halves may be rounded between",
    ),
    (
        &["activation"],
        Tolerance { least: 0.0625, ..units(32.0, 4.0, 64.0, 256.0) },
        "approximations of a device in f32, times another element",
    ),
    (
        &[
            "max_pool",
            "max_pool2d_with_indices",
            "max_pool2d_with_mask",
            "max_pool3d_with_argmax",
            "adaptive_max_pool2d",
            "adaptive_max_pool3d",
            "global_max_pool",
            "max_unpool2d",
            "max_unpool2d_backward",
            "max_unpool3d",
            "max_unpool3d_backward",
        ],
        Tolerance { signed_zero: false, ..EXACT },
        "a result is an operand; which of two zeros is greater is not described",
    ),
    (
        &["pooling", "resize", "sampling"],
        Tolerance { least: 0.0625, ..units(8.0, 2.0, 8.0, 8.0) },
        "few products of small numbers, whose order is not described, divided or weighted in f32",
    ),
    (
        &["foreach_copy", "foreach_zero", "foreach_abs", "foreach_neg"],
        EXACT,
        "a result is an operand or zero, at most with another sign, and rounded by a stated rounding",
    ),
    (
        &[
            "foreach_sign",
            "foreach_round_off_number",
            "foreach_maximum_scalar",
            "foreach_maximum_list",
            "foreach_minimum_scalar",
            "foreach_minimum_list",
        ],
        Tolerance { signed_zero: false, ..EXACT },
        "a result is an operand or a whole number; which of two zeros is greater is not described",
    ),
    (
        &["foreach_norm"],
        Tolerance { sums: true, ..units(1.0, 1.0, 0.0, 0.0) },
        "the order of a sum is not described: a rounding for each element",
    ),
    (
        &["foreach_pow_scalar", "foreach_pow_list", "foreach_pow_scalar_and_tensor"],
        units(128.0, 4.0, 0.0, 0.0),
        "the error of the logarithm is multiplied by the exponent and the base's size",
    ),
    (
        &["foreach"],
        Tolerance { least: 1.0, ..units(32.0, 4.0, 0.0, 0.0) },
        "approximations of a device in f32, or a few products and sums, fused or not",
    ),
    (
        &["optimizer"],
        Tolerance { least: 1.0, ..units(64.0, 8.0, 0.0, 0.0) },
        "some twenty products, sums and roots in f32, of numbers near 1",
    ),
    (&["prod", "cumprod"], units(64.0, 4.0, 64.0, 256.0), "a rounding for each factor"),
    (
        &["sum", "nansum", "mean", "mean_v2", "cumsum", "cumsum_v2", "bincount"],
        Tolerance { sums: true, ..units(1.0, 1.0, 1.0, 2.0) },
        "the order of a sum is not described: a rounding for each element",
    ),
    (
        &["loss"],
        Tolerance { sums: true, least: 0.0625, ..units(64.0, 4.0, 1024.0, 0.0) },
        "logarithms and exponentials of a device, and sums of them in an order that is not described",
    ),
    (
        &["reduction", "scan"],
        Tolerance { sums: true, least: 0.0625, ..units(64.0, 4.0, 128.0, 128.0) },
        "functions of sums: those and the approximations of a device",
    ),
];

/// Returns the tolerance of an operator; exact for one that no row names.
pub(crate) fn of(operator: &Operator) -> Tolerance {
    row(operator).map_or(EXACT, |row| row.1)
}

fn row(operator: &Operator) -> Option<&'static Row> {
    let names = |name: &str| TABLE.iter().find(|row| row.0.contains(&name));
    // A function is named in more detail than its family.
    names(operator.info.function()).or_else(|| names(operator.info.family()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::declared;

    #[test]
    fn every_operator_has_a_row_and_every_name_an_operator() {
        let nameless: Vec<&str> = declared::all()
            // Those of several ranks are not verified.
            .filter(|operator| row(operator).is_none() && operator.info.family() != "joint")
            .map(|operator| operator.info.name())
            .collect();
        assert!(nameless.is_empty(), "{nameless:?}");
        for (names, _, reason) in TABLE {
            assert!(!reason.is_empty());
            for name in *names {
                let is_known = declared::all()
                    .any(|operator| [operator.info.function(), operator.info.family()].contains(name));
                assert!(is_known, "{name}");
            }
        }
    }
}
