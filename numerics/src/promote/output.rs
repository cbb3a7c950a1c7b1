//! Results that CANN's operators convert to the type of their output themselves, and the reasons why they refuse
//! others.

use crate::DType::{self, Bool};

/// Returns why a result of type `computed` does not become `out`, or `None` if it does.
///
/// This is what the library checks. Its documentation promises more: that a float result becomes an integer, and a
/// complex result its real part. Such a result needs a Cast.
pub fn refused(computed: DType, out: DType) -> Option<&'static str> {
    if computed.is_complex() && !out.is_complex() {
        Some("complex values do not become real by themselves")
    } else if computed.is_float() && out.is_integer() {
        Some("floating-point values do not become integers by themselves")
    } else if computed != Bool && out == Bool {
        Some("nothing but bool becomes bool")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DType::*;

    /// The library's three refusals, and conversions that are allowed beside them.
    #[test]
    fn kinds_of_types() {
        let [integers, floats, complex] =
            [&[I8, U8, I16, U16, I32, U32, I64, U64][..], &[F16, BF16, F32, F64], &[C32, C64, C128]];
        for &from in integers {
            assert!([integers, floats, complex].concat().iter().all(|&to| refused(from, to).is_none()));
            assert!(refused(from, Bool).is_some() && refused(Bool, from).is_none());
        }
        for &from in floats {
            assert!([floats, complex].concat().iter().all(|&to| refused(from, to).is_none()));
            assert!(integers.iter().all(|&to| refused(from, to).is_some()));
            assert!(refused(from, Bool).is_some() && refused(Bool, from).is_none());
        }
        for &from in complex {
            assert!(complex.iter().all(|&to| refused(from, to).is_none()));
            assert!([integers, floats, &[Bool]].concat().iter().all(|&to| refused(from, to).is_some()));
        }
        assert!(refused(Bool, Bool).is_none());
    }
}
