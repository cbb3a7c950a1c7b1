//! A tensor does not go while an operation has it.

use aclnn::{Tensor, ops};

fn run(a: &Tensor, b: Tensor) {
    let operation = ops::mul(a, &b);
    drop(b);
    let _ = operation.run();
}

fn main() {}

// error[E0505]: cannot move out of `b` because it is borrowed
//   line 5: binding `b` declared here
//   line 6: borrow of `b` occurs here
//   line 7: move out of `b` occurs here
//   line 8: borrow later used here
//   help: consider cloning the value if the performance cost is acceptable
//     line 6: .clone()
