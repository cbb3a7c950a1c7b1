//! Quotients that are made whole, and what they leave.

use aclnn_numerics::DType;

use crate::Function;
use crate::functions::integer::Integer;
use crate::functions::n_ary::{self, by_rows};

/// What an integer divided by zero is; so is the smallest one by −1.
pub(crate) const NO_QUOTIENT: &str =
    "an integer is divided by zero, or the smallest one by -1; such a quotient is no integer";

/// What the 950 makes of an integer divided by zero, of which i8, i32 and i64 are described, and of the smallest one
/// divided by −1.
macro_rules! without_quotient {
    ($dividend:ident, $divisor:ident) => {
        if $divisor != 0 {
            $dividend
        } else if size_of_val(&$dividend) == 8 && $dividend > $divisor.wrapping_sub(1) {
            u64::from(u32::MAX) as _
        } else {
            $divisor.wrapping_sub(1)
        }
    };
}

/// Returns the function of an expression of one element of each operand.
macro_rules! many {
    ($type:ty, $operands:tt $result:expr) => {
        Function::Many(|operands, out| {
            by_rows(operands, out, n_ary::each!($type => $type, $operands $result));
        })
    };
}

macro_rules! functions {
    ($(
        $name:ident($a:ident, $b:ident): float $float:expr $(, partial $partial:expr)? $(, integer $integer:expr)?;
    )*) => {$(
        /// Returns the function of the operator of this name for a compute type.
        #[inline(never)] // so that its loops are compiled in this crate
        pub fn $name(compute: DType) -> Option<Function> {
            macro_rules! float {
                ($type:ty) => {
                    many!($type, [$a, $b] $float)
                };
            }
            macro_rules! integer {
                ($type:ty) => {
                    $(Function::Partial(|operands, out| {
                        let have_results = by_rows(operands, out, n_ary::try_each!($type, [$a, $b] $partial));
                        if have_results { Ok(()) } else { Err(NO_QUOTIENT) }
                    }))?
                    $(many!($type, [$a, $b] $integer))?
                };
            }
            Some(match compute {
                DType::F32 => float!(f32),
                DType::F64 => float!(f64),
                DType::I8 => integer!(i8),
                DType::U8 => integer!(u8),
                DType::I16 => integer!(i16),
                DType::I32 => integer!(i32),
                DType::I64 => integer!(i64),
                _ => return None,
            })
        }
    )*};
}

functions! {
    floor_divide(a, b): float (a / b).floor(), partial a.quotient_below(b);
    trunc_divide(a, b): float (a / b).trunc(), partial a.quotient(b);
    trunc_divide_always(a, b): float (a / b).trunc(), integer a.quotient(b).unwrap_or(without_quotient!(a, b));
    fmod(a, b): float a % b, integer a.rest(b);
    remainder(a, b): float {
        let rest = a % b;
        if rest != 0.0 && (rest < 0.0) != (b < 0.0) { rest + b } else { rest }
    }, integer a.modulus(b);
}
