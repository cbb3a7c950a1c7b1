//! A context that is bound, memory and executors do not leave the crate.

use aclnn::acl::Bound;
use aclnn::call::Call;
use aclnn::memory::Buffer;

fn main() {}

// error[E0603]: module `acl` is private
//   line 3: private module
//   note: the module `acl` is defined here
//     src/lib.rs
// error[E0603]: module `call` is private
//   line 4: private module
//   note: the module `call` is defined here
//     src/lib.rs
// error[E0603]: module `memory` is private
//   line 5: private module
//   note: the module `memory` is defined here
//     src/lib.rs
