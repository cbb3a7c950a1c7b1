//! The gamma function.

use super::{ln, polynomial};

/// The logarithm of the magnitude of the gamma function, of a number that is not negative, within 10⁻¹¹ of it. What is at least 3.5 goes by
/// Stirling's formula; by the recurrence, what is less by the function between 1.5 and 2.5 and the logarithm of a product. The
/// coefficients are those of the polynomials of least relative error (Remez).
#[inline(always)]
pub(crate) fn lgamma(x: f64) -> f64 {
    /// Of `lgamma(2 + t) / t`.
    const MIDDLE: [f64; 12] = [
        2.6095650896755287e-5,
        -5.2744387619799615e-5,
        9.706242258895671e-5,
        -0.00022089663997617738,
        0.0005101428395032558,
        -0.0011930488274520753,
        0.002890465575956079,
        -0.007385533787501938,
        0.020580810235911604,
        -0.06735230141889373,
        0.322467033403083,
        0.4227843350997107,
    ];
    /// Of what Stirling's formula lacks, times `x`, of `1 / x²`.
    const FAR: [f64; 5] = [
        0.0005493388840579104,
        -0.000574470629111589,
        0.0007929607898025912,
        -0.0027777681862429086,
        0.08333333329565916,
    ];
    const HALF_LN_2_PI: f64 = 0.918_938_533_204_672_8;
    let is_far = x >= 3.5;
    let (is_above, is_below, is_small) = (x >= 2.5, x < 1.5, x < 0.5);
    let factor = if is_above {
        x - 1.0
    } else if is_below {
        x
    } else {
        1.0
    };
    let factor = if is_small { x * (x + 1.0) } else { factor };
    let t = if is_above {
        x - 3.0
    } else if is_below {
        x - 1.0
    } else {
        x - 2.0
    };
    let t = if is_small { x } else { t };
    let logarithm = ln(if is_far { x } else { factor });
    let signed = if is_above { logarithm } else { -logarithm };
    let near = t.mul_add(polynomial(MIDDLE, t), signed);
    let inverse = 1.0 / x;
    let lack = inverse * polynomial(FAR, inverse * inverse);
    let far = (x - 0.5).mul_add(logarithm, HALF_LN_2_PI - x) + lack;
    let result = if is_far { far } else { near };
    if x == f64::INFINITY { x } else { result }
}
