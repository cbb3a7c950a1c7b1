//! Axes and indices are integers, and several indices a range of them.

use aclnn::Tensor;

fn run(a: &Tensor) {
    let _ = a.select(0, 0.5);
    let _ = a.slice(0, 3);
    let _ = a.slice(0, 0.5..);
}

fn main() {}
