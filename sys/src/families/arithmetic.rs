//! Element-wise arithmetic: add, subtract, multiply, divide.

/// Calls `$callback!` with the arithmetic operators.
#[macro_export]
macro_rules! arithmetic_operators {
    ($callback:path) => {
        $callback! {
            arithmetic, Promote:

            /// `self + alpha · other`
            add in "aclnn_add.h" {
                Add(self_: tensor, other: tensor, alpha: scalar, out: out);
                Adds(self_: tensor, other: scalar, alpha: scalar, out: out);
                InplaceAdd(self_: inout_const, other: tensor, alpha: scalar);
                InplaceAdds(self_: inout_const, other: scalar, alpha: scalar);
            }

            /// `self − alpha · other`
            sub in "aclnn_sub.h" {
                Sub(self_: tensor, other: tensor, alpha: scalar, out: out);
                Subs(self_: tensor, other: scalar, alpha: scalar, out: out);
                InplaceSub(self_: inout, other: tensor, alpha: scalar);
                InplaceSubs(self_: inout, other: scalar, alpha: scalar);
            }

            /// `other − alpha · self`
            rsub in "aclnn_rsub.h" {
                Rsub(self_: tensor, other: tensor, alpha: scalar, out: out);
                Rsubs(self_: tensor, other: scalar, alpha: scalar, out: out);
            }

            /// `self · other`
            mul in "aclnn_mul.h" {
                Mul(self_: tensor, other: tensor, out: out);
                Muls(self_: tensor, other: scalar, out: out);
                InplaceMul(self_: inout, other: tensor);
                InplaceMuls(self_: inout, other: scalar);
            }

            /// `self / other`, true division: integers divide as f32
            div in "aclnn_div.h" {
                Div(self_: tensor, other: tensor, out: out);
                Divs(self_: tensor, other: scalar, out: out);
                InplaceDiv(self_: inout, other: tensor);
                InplaceDivs(self_: inout, other: scalar);
            }
        }
    };
}

arithmetic_operators!(super::info::family);
