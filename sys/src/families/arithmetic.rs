//! Element-wise arithmetic: add, subtract, multiply, divide.

/// Calls `$callback!` with the arithmetic operators.
#[macro_export]
macro_rules! arithmetic_operators {
    ($callback:path) => {
        $callback! {
            arithmetic, Promote:

            /// `self + alpha · other`
            add (takes: types("float f64 int bool complex"), ..PROMOTE) {
                Add = "aclnnAdd"(self_: tensor, other: tensor, alpha: scalar, out: out);
                Adds = "aclnnAdds"(self_: tensor, other: scalar, alpha: scalar, out: out);
                InplaceAdd = "aclnnInplaceAdd"(self_: inout_const, other: tensor, alpha: scalar);
                InplaceAdds = "aclnnInplaceAdds"(self_: inout_const, other: scalar, alpha: scalar);
            }

            /// `self − alpha · other`
            sub (takes: types("float f64 int bool complex"), ..PROMOTE) {
                Sub = "aclnnSub"(self_: tensor, other: tensor, alpha: scalar, out: out);
                Subs = "aclnnSubs"(self_: tensor, other: scalar, alpha: scalar, out: out);
                InplaceSub = "aclnnInplaceSub"(self_: inout, other: tensor, alpha: scalar);
                InplaceSubs = "aclnnInplaceSubs"(self_: inout, other: scalar, alpha: scalar);
            }

            /// `other − alpha · self`
            rsub (takes: types("float f64 int complex"), ..PROMOTE) {
                Rsub = "aclnnRsub"(self_: tensor, other: tensor, alpha: scalar, out: out);
                Rsubs = "aclnnRsubs"(self_: tensor, other: scalar, alpha: scalar, out: out);
            }

            /// `self · other`
            mul (takes: types("float f64 int bool complex"), output: Some(types("float f64 int bool complex")), ..PROMOTE) {
                Mul = "aclnnMul"(self_: tensor, other: tensor, out: out);
                Muls = "aclnnMuls"(self_: tensor, other: scalar, out: out);
                InplaceMul = "aclnnInplaceMul"(self_: inout, other: tensor);
                InplaceMuls = "aclnnInplaceMuls"(self_: inout, other: scalar);
            }

            /// `self / other`, true division: integers divide as f32
            div (takes: types("float f64 int bool complex"), computes: Quotient, ..PROMOTE) {
                Div = "aclnnDiv"(self_: tensor, other: tensor, out: out);
                Divs = "aclnnDivs"(self_: tensor, other: scalar, out: out);
                InplaceDiv = "aclnnInplaceDiv"(self_: inout, other: tensor);
                InplaceDivs = "aclnnInplaceDivs"(self_: inout, other: scalar);
            }

            /// `self / other`, with `mode` 0 as it is, with 1 rounded towards zero, with 2 rounded down
            div_mod (
                takes: types("float f64 int bool complex"), promoted: Some(types("float f64 int bool")), computes: Number, ..PROMOTE
            ) {
                DivMod = "aclnnDivMod"(self_: tensor, other: tensor, mode: int, out: out);
                DivMods = "aclnnDivMods"(self_: tensor, other: scalar, mode: int, out: out);
                InplaceDivMod = "aclnnInplaceDivMod"(self_: inout, other: tensor, mode: int);
                InplaceDivMods = "aclnnInplaceDivMods"(self_: inout, other: scalar, mode: int);
                DivV3 = "aclnnDivV3"(self_: tensor, other: tensor, mode: i64, out: out);
            }
        }
    };
}

arithmetic_operators!(super::info::family);
