//! Everything that writes a tensor takes it uniquely.

use aclnn::Tensor;

fn fill(a: &Tensor, source: &Tensor) {
    let _ = a.fill_in_place(1);
    let _ = a.copy_from(source);
    let _ = a.copy_from_slice(&[1.0f32]);
}

fn main() {}
