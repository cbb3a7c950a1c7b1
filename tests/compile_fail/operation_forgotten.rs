//! Nothing is launched before `run`, and the compiler tells who forgets it.

#![deny(unused_must_use)]

use aclnn::{Tensor, ops};

fn run(a: &mut Tensor, b: &Tensor) {
    ops::add(b, 1);
    ops::add_in_place(a, 1);
}

fn main() {}

// error[unused_must_use]: unused `aclnn::ops::Binary` that must be used
//   line 8
//   note: nothing is launched before `run`
//   note: the lint level is defined here
//     line 3
//   help: use `let _ = ...` to ignore the resulting value
//     line 8: let _ =
// error[unused_must_use]: unused `BinaryInPlace` that must be used
//   line 9
//   note: nothing is launched before `run`
//   help: use `let _ = ...` to ignore the resulting value
//     line 9: let _ =
