//! Options that an operator does not have are not there.

use aclnn::{Tensor, ops};

fn run(a: &Tensor, b: &Tensor) {
    let _ = ops::mul(a, b).alpha(2);
}

fn main() {}

// error[E0599]: no method named `alpha` found for struct `aclnn::ops::Binary<'_, false>` in the current scope
//   line 6: method not found in `aclnn::ops::Binary<'_, false>`
//   note: the method was found for - `aclnn::ops::Binary<'_, true>`
