//! A result is written to a tensor that the operation does not read: what reads and writes one tensor is the form in place.

use aclnn::{Tensor, ops};

fn run(mut a: Tensor) {
    let operation = ops::add(&a, 1);
    let _ = operation.run_into(&mut a);
}

fn main() {}

// error[E0502]: cannot borrow `a` as mutable because it is also borrowed as immutable
//   line 6: immutable borrow occurs here
//   line 7: immutable borrow later used by call
//   line 7: mutable borrow occurs here
