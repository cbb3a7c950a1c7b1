//! Functions with attributes, and of up to three operands, in every compute type. An attribute is one more operand, of which
//! there is one element.
//!
//! A function that is not exact is written once, in f64: results in f32 are rounded from f64, but for `float` ones, which are
//! computed in the type itself: a product of two is rounded once there too.

use aclnn_numerics::DType;
use num_complex::Complex64;

use crate::Many;
use crate::functions::n_ary::{self, by_rows};
use crate::functions::special::{self, FAST_GELU_SLOPE, SELU_ALPHA, SELU_SCALE};

/// Returns the loop of an expression of one element of each operand.
macro_rules! each {
    ($type:ty, ($($x:ident),+) $result:expr) => {
        return Some(|operands, out| {
            by_rows(operands, out, n_ary::each!($type => $type, [$($x),+] $result));
        })
    };
}

/// A function in the types that it is computed in.
macro_rules! functions {
    ($($name:ident $operands:tt: $($kind:ident $result:expr),+;)*) => {$(
        /// Returns the function of the operator of this name for a compute type.
        #[inline(never)] // so that its loops are compiled in this crate
        pub fn $name(compute: DType) -> Option<Many> {
            $(functions!(@ $kind compute $operands $result);)*
            None
        }
    )*};
    // In f64, rounded once.
    (@ wide $compute:ident ($($x:ident),+) $result:expr) => {
        match $compute {
            DType::F32 => return Some(|operands, out| {
                by_rows(operands, out, n_ary::each_by_vectors!(f64, [$($x),+] $result));
            }),
            DType::F64 => {
                #[allow(unused_imports, reason = "few functions use them")]
                use special::double::*;
                each!(f64, ($($x),+) $result);
            }
            _ => {}
        }
    };
    // In the type itself, with the elementary functions of it.
    (@ native $compute:ident ($($x:ident),+) $result:expr) => {
        match $compute {
            DType::F32 => return Some(|operands, out| {
                by_rows(operands, out, n_ary::each_by_vectors!(f32, [$($x),+] $result));
            }),
            DType::F64 => {
                use special::double::*;
                each!(f64, ($($x),+) $result);
            }
            _ => {}
        }
    };
    // In the type itself.
    (@ float $compute:ident ($($x:ident),+) $result:expr) => {
        if $compute == DType::F32 {
            return Some(|operands, out| {
                by_rows(operands, out, n_ary::each_by_vectors!(f32, [$($x),+] $result));
            });
        }
        functions!(@@ $compute ($($x),+) $result; F64 f64)
    };
    (@ integer $compute:ident $x:tt $result:expr) => {
        functions!(@@ $compute $x $result; I8 i8, U8 u8, I16 i16, I32 i32, I64 i64)
    };
    // In f64, truncated.
    (@ truncated $compute:ident $x:tt $result:expr) => {
        functions!(@ truncated I8 i8, $compute $x $result);
        functions!(@ truncated I32 i32, $compute $x $result)
    };
    (@ truncated $variant:ident $type:ty, $compute:ident ($($x:ident),+) $result:expr) => {
        if $compute == DType::$variant {
            each!($type, ($($x),+) {
                $(let $x = f64::from($x);)+
                ($result) as i32 as $type
            });
        }
    };
    (@ f32 $compute:ident $x:tt $result:expr) => { functions!(@@ $compute $x $result; F32 f32) };
    (@ f64 $compute:ident $x:tt $result:expr) => { functions!(@@ $compute $x $result; F64 f64) };
    (@ i32 $compute:ident $x:tt $result:expr) => { functions!(@@ $compute $x $result; I32 i32) };
    (@ i64 $compute:ident $x:tt $result:expr) => { functions!(@@ $compute $x $result; I64 i64) };
    (@ boolean $compute:ident $x:tt $result:expr) => { functions!(@@ $compute $x $result; Bool u8) };
    (@ complex $compute:ident ($($x:ident),+) $result:expr) => {
        match $compute {
            DType::C64 => each!([f32; 2], ($($x),+) {
                let [$($x),+] = [$($x),+].map(|[re, im]| Complex64::new(re.into(), im.into()));
                let result: Complex64 = $result;
                [result.re as f32, result.im as f32]
            }),
            DType::C128 => each!(Complex64, ($($x),+) $result),
            _ => {}
        }
    };
    (@@ $compute:ident $x:tt $result:expr; $($variant:ident $type:ident),+) => {
        $(functions!(@one $compute $x $result; $variant $type);)+
    };
    (@one $compute:ident $x:tt $result:expr; $variant:ident $type:ident) => {
        if $compute == DType::$variant {
            each!($type, $x $result);
        }
    };
}

/// Returns the function of GeluV2, which its attribute chooses once for all elements.
pub fn gelu_v2(compute: DType) -> Option<Many> {
    fn chosen(operands: &[&[u8]], out: &mut [u8], compute: DType) {
        let one: &[u8] = if compute == DType::F64 { &1_f64.to_ne_bytes() } else { &1_f32.to_ne_bytes() };
        let by_tanh = operands.get(1).is_some_and(|approximate| approximate.starts_with(one));
        let function = if by_tanh { gelu_v2_by_tanh(compute) } else { gelu_v2_exact(compute) };
        if let Some(function) = function {
            function(operands, out);
        }
    }
    match compute {
        DType::F32 => Some(|operands, out| chosen(operands, out, DType::F32)),
        DType::F64 => Some(|operands, out| chosen(operands, out, DType::F64)),
        _ => None,
    }
}

/// Returns the function of Celu, which narrows half away from zero.
pub fn celu_narrowed_away(dtype: DType) -> Option<Many> {
    fn narrowed(operands: &[&[u8]], out: &mut [u8], dtype: DType) {
        if let Some(function) = celu(DType::F32) {
            function(operands, out);
        }
        special::narrow_away(out, dtype);
    }
    match dtype {
        DType::F16 => Some(|operands, out| narrowed(operands, out, DType::F16)),
        DType::BF16 => Some(|operands, out| narrowed(operands, out, DType::BF16)),
        _ => celu(dtype),
    }
}

pub use {
    clamp as clamp_tensor, clamp as hard_tanh, clamp_max as clamp_max_tensor, clamp_min as clamp_min_tensor,
    elu as elu_v2, threshold as threshold_v2, threshold_backward as relu_grad_v4,
};

/// Both numbers of a bound are NaN where one of them is.
macro_rules! bounded {
    ($x:ident $than:tt $bound:ident) => { if $x.is_nan() || $x $than $bound { $x } else { $bound } };
}

/// A number between two bounds; NaN if one of the three is. Each comparison is one instruction of a vector.
macro_rules! between {
    ($low:ident, $x:ident, $high:ident) => {
        if $x.is_nan() || $low.is_nan() {
            $x + $low
        } else {
            let x = if $x > $low { $x } else { $low };
            if x < $high { x } else { $high }
        }
    };
}
#[cfg_attr(not(target_arch = "x86_64"), allow(unused_imports, reason = "loops of 16 bits use them"))]
pub(crate) use {between, bounded};

functions! {
    clamp(x, low, high): float between!(low, x, high), integer x.max(low).min(high);
    clamp_min(x, low): float bounded!(x > low), integer x.max(low);
    clamp_max(x, high): float bounded!(x < high), integer x.min(high);
    threshold(x, threshold, value): float if x <= threshold { value } else { x }, integer if x <= threshold { value } else { x };
    softplus(x, beta, threshold): wide softplus(x, beta, threshold);
    leaky_relu(x, slope): float if x > 0.0 { x } else { slope * x };
    elu(x, alpha, scale, input_scale): wide elu(x, alpha, scale, input_scale);
    celu(x, alpha): wide celu(x, alpha);
    hard_shrink(x, lambda): float if x.abs() <= lambda.max(0.0) { 0.0 } else { x };
    soft_shrink_or_zero(x, lambda): float if x > lambda { x - lambda } else if x < -lambda { x + lambda } else { 0.0 };
    soft_shrink(x, lambda): float if x > lambda { x - lambda } else if x < -lambda { x + lambda } else if x.is_nan() { x } else { 0.0 };
    shrink(x, lambda, bias): float if x > lambda { x - bias } else if x < -lambda { x + bias } else { 0.0 };
    swish(x, beta): wide if beta == 0.0 { 0.5 * x } else { x / (1.0 + exp(-beta * x)) };
    silu(x): native silu(x);
    product(x, y): float x * y;
    glu(x, y): wide x * sigmoid(y);
    glu_first(g, x, y): wide { let _ = x; g * sigmoid(y) };
    glu_second(g, x, y): wide { let s = sigmoid(y); g * x * s * (1.0 - s) };
    swi_glu(x, y): wide x * sigmoid(x) * y;
    swi_glu_first(g, x, y): wide { let s = sigmoid(x); g * y * s * (1.0 + x * (1.0 - s)) };
    swi_glu_second(g, x, y): wide { let _ = y; g * x * sigmoid(x) };
    ge_glu(x, y, approximate): wide y * if approximate == 1.0 { gelu_by_tanh(x) } else { gelu(x) };
    fatrelu_mul(x, y, threshold): float if x > threshold { x * y } else { 0.0 * y };
    swiglu_clamp(x, y, limit): wide { let gate = x.min(limit); gate * sigmoid(gate) * y.min(limit).max(-limit) };
    ge_glu_slope(g, y, x, approximate): wide g * y * if approximate == 1.0 { gelu_by_tanh_slope(x) } else { gelu_slope(x) };
    nan_to_num(x, nan, positive, negative):
        float if x.is_nan() { nan } else if x.is_finite() { x } else if x > 0.0 { positive } else { negative },
        integer { let _ = (nan, positive, negative); x },
        boolean { let _ = (nan, positive, negative); x };
    round_decimals(x, decimals):
        f32 special::round_decimals_f32(x, decimals),
        f64 special::round_decimals_f64(x, decimals),
        i32 special::round_decimals_i32(x, decimals),
        i64 special::round_decimals_i64(x, decimals);
    gelu_v2_by_tanh(x, approximate): wide { let _ = approximate; gelu_by_tanh(x) };
    gelu_v2_exact(x, approximate): wide { let _ = approximate; gelu(x) };
    log_sigmoid_forward(x): wide log_sigmoid(x);
    logit(x, eps): wide { let high = f64::from((1.0 - eps) as f32); let z = if eps < 0.0 { x } else if x < eps { eps } else if x > high { high } else { x }; ln(z / (1.0 - z)) };
    heaviside(x, at_zero): float if x == 0.0 { at_zero } else if x > 0.0 { 1.0 } else { 0.0 };
    prelu(x, weight): float if x > 0.0 { x } else { weight * x };
    threshold_backward(g, x, threshold): float if x <= threshold { 0.0 } else { g }, integer if x <= threshold { 0 } else { g };
    sigmoid_backward(g, y): float g * y * (1.0 - y), complex g * (y * (1.0 - y)).conj();
    tanh_backward(g, y): wide g * (1.0 - y * y);
    silu_backward(g, x): wide { let s = sigmoid(x); g * s * (1.0 + x * (1.0 - s)) };
    swish_backward(g, x, beta): wide { let s = sigmoid(beta * x); g * (s + beta * x * s * (1.0 - s)) };
    gelu_backward(g, x): wide g * gelu_by_tanh_slope(x);
    gelu_backward_v2(g, x, by_tanh): wide g * if by_tanh != 0.0 { gelu_by_tanh_slope(x) } else { gelu_slope(x) };
    fast_gelu_backward(g, x): wide { let s = sigmoid(FAST_GELU_SLOPE * x); g * s * (1.0 + FAST_GELU_SLOPE * x * (1.0 - s)) };
    mish_backward(g, x): wide g * mish_slope(x);
    softplus_backward(g, x, beta, threshold): wide if beta * x > threshold { g } else { g * sigmoid(beta * x) };
    log_sigmoid_backward(g, x): wide g * sigmoid(-x);
    elu_backward(g, alpha, scale, input_scale, is_result, x): wide g * elu_slope(x, [alpha, scale, input_scale], is_result != 0.0);
    selu_backward(g, y):
        wide g * if y <= 0.0 { y + SELU_SCALE * SELU_ALPHA } else { SELU_SCALE },
        truncated g * if y <= 0.0 { y + SELU_SCALE * SELU_ALPHA } else { SELU_SCALE };
    leaky_relu_backward(g, x, slope, is_result): float { let _ = is_result; if x > 0.0 { g } else { g * slope } };
    hard_swish_backward(g, x): wide g * if x < -3.0 { 0.0 } else if x > 3.0 { 1.0 } else { x / 3.0 + 0.5 };
    hard_swish_backward_v2(g, x): wide g * if x <= -3.0 { 0.0 } else if x >= 3.0 { 1.0 } else { x / 3.0 + 0.5 };
    hard_sigmoid_backward(g, x): wide if x > -3.0 && x < 3.0 { g / 6.0 } else { 0.0 };
    hard_tanh_backward(g, x, low, high): float if x <= low || x >= high { 0.0 } else { g };
    hard_shrink_backward(g, x, lambda): float if x.abs() <= lambda.max(0.0) { 0.0 } else { g };
    soft_shrink_backward(g, x, lambda): float if x >= -lambda && x <= lambda { 0.0 } else { g };
    add_mat_mat_elements(a, b, c, alpha, beta): wide beta * c + alpha * a * b;
    add_mat_mat_elements_plus(c, a, b, beta, alpha): wide beta * c + alpha * a * b;
    softsign(x): wide x / (1.0 + x.abs());
    squared_relu(x): float { let above = if x <= 0.0 { 0.0 } else { x }; above * above };
    fast_gelu_v2(x): wide x * (0.5 + (0.5 - 0.1444 * ((x * std::f64::consts::FRAC_1_SQRT_2).abs().min(1.769) - 1.769).powi(2)).copysign(x));
    hard_sigmoid_v2(x): wide (x + 3.0).clamp(0.0, 6.0) / 6.0;
    asinh_v2(x): wide asinh(x);
    asin_with_agent(x): wide asin(x);
    fresnel_cos(x): wide special::fresnel(x)[0];
    fresnel_sin(x): wide special::fresnel(x)[1];
    ndtri(x): wide special::ndtri(x);
    mul_no_nan(x, y): float if y == 0.0 { 0.0 } else { x * y };
    fused_bias_leaky_relu(x, bias, slope, scale): wide { let sum = x + bias; scale * if sum > 0.0 { sum } else { slope * sum } };
    acos_grad(g, x): wide -g / (1.0 - x * x).sqrt();
    acos_grad_v2(x, g): wide -g / (1.0 - x * x).sqrt();
    asinh_grad(y, g): wide g / cosh(y);
    atan_grad(x, g): wide g / (1.0 + x * x);
    sqrt_backward(y, g): wide 0.5 * g / y;
    softsign_backward(g, x): wide { let s = 1.0 + x.abs(); g / (s * s) };
    logit_grad(x, g, eps): wide { let low = eps.max(0.0); let high = f64::from((1.0 - low) as f32); if low <= x && x <= high { g / (x * (1.0 - x)) } else if eps < 0.0 { f64::NAN } else { 0.0 } };
}

#[cfg(test)]
mod tests {
    use bytemuck::{cast_slice, cast_slice_mut};

    use super::*;
    use crate::views::instructions::{Choice, choose};

    /// With operands of many elements and of one, which are those of each kind of loop.
    #[test]
    fn every_instruction_set_gives_the_same_bits() {
        const COUNT: usize = 3000;
        let mut random = fastrand::Rng::with_seed(3);
        let mut number = |_| match random.usize(..3) {
            0 => f32::from_bits(random.u32(..)),
            _ => random.usize(..1 << 16) as f32 / 2048.0 - 16.0,
        };
        let many: [Vec<f32>; 4] = [(); 4].map(|()| (0..COUNT).map(&mut number).collect());
        let one = [1_f32, 0.5, 0.0, 2.0];
        let functions = [
            (1, silu(DType::F32)),
            (2, swish(DType::F32)),
            (2, gelu_v2(DType::F32)),
            (2, leaky_relu(DType::F32)),
            (3, softplus(DType::F32)),
            (4, elu(DType::F32)),
            (2, celu(DType::F32)),
            (1, log_sigmoid_forward(DType::F32)),
            (2, swi_glu(DType::F32)),
            (3, ge_glu(DType::F32)),
            (3, swi_glu_first(DType::F32)),
            (4, ge_glu_slope(DType::F32)),
            (2, mish_backward(DType::F32)),
            (2, tanh_backward(DType::F32)),
        ];
        for (place, (operands, function)) in functions.into_iter().enumerate() {
            let function = function.expect("for f32");
            for long in 1..=operands {
                let operands: Vec<&[u8]> = (0..operands)
                    .map(|number| {
                        if number < long {
                            cast_slice(&many[number])
                        } else {
                            cast_slice(&one[number..=number])
                        }
                    })
                    .collect();
                let bits = |instructions| {
                    let before = choose(Choice { instructions: Some(instructions), block: None });
                    let mut results = vec![0_f32; COUNT];
                    function(&operands, cast_slice_mut(&mut results));
                    choose(before);
                    results.into_iter().map(f32::to_bits).collect::<Vec<_>>()
                };
                let expected = bits(0);
                for instructions in 1..=3 {
                    assert!(
                        bits(instructions) == expected,
                        "function {place}, {long} long, instructions {instructions}"
                    );
                }
            }
        }
    }
}
