//! The functions of `single` where the results stay f64, and for angles that are too great for it.

pub(crate) use libm::{erf, erfc, lgamma};

macro_rules! functions_of_the_standard_library {
    ($($name:ident)*) => {$(
        pub(crate) fn $name(x: f64) -> f64 {
            x.$name()
        }
    )*};
}

functions_of_the_standard_library! {
    exp exp2 exp_m1 ln log2 log10 ln_1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh
}

pub(crate) use super::erfinv;

pub(crate) fn power(base: f64, exponent: f64) -> f64 {
    base.powf(exponent)
}

/// One over the root.
pub(crate) fn rsqrt(x: f64) -> f64 {
    1.0 / x.sqrt()
}

/// The logarithm of `1 + eˣ`.
pub(crate) fn ln_1p_exp(x: f64) -> f64 {
    x.max(0.0) + ln_1p(exp(-x.abs()))
}

/// The sigmoid linear unit.
pub(crate) fn silu(x: f64) -> f64 {
    x / (1.0 + exp(-x))
}

pub(crate) fn atan2(y: f64, x: f64) -> f64 {
    y.atan2(x)
}

given_functions!();
