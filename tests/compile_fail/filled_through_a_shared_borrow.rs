//! Everything that writes a tensor takes it uniquely.

use aclnn::Tensor;

fn fill(a: &Tensor, source: &Tensor) {
    let _ = a.fill_in_place(1);
    let _ = a.copy_from(source);
    let _ = a.copy_from_slice(&[1.0f32]);
}

fn main() {}

// error[E0596]: cannot borrow `*a` as mutable, as it is behind a `&` reference
//   line 6: `a` is a `&` reference, so it cannot be borrowed as mutable
//   help: consider changing this to be a mutable reference
//     line 5: mut
// error[E0596]: cannot borrow `*a` as mutable, as it is behind a `&` reference
//   line 7: `a` is a `&` reference, so it cannot be borrowed as mutable
//   help: consider changing this to be a mutable reference
//     line 5: mut
// error[E0596]: cannot borrow `*a` as mutable, as it is behind a `&` reference
//   line 8: `a` is a `&` reference, so it cannot be borrowed as mutable
//   help: consider changing this to be a mutable reference
//     line 5: mut
