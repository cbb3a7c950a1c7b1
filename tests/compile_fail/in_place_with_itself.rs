//! A tensor that is written in place is not the other operand as well.

use aclnn::Tensor;

fn run(mut a: Tensor) {
    let _ = a.add_in_place(&a);
}

fn main() {}

// error[E0502]: cannot borrow `a` as mutable because it is also borrowed as immutable
//   line 6: immutable borrow later used by call
//   line 6: immutable borrow occurs here
//   line 6: mutable borrow occurs here
