//! A context that is bound, memory and executors do not leave the crate.

use aclnn::acl::Bound;
use aclnn::call::Call;
use aclnn::memory::Buffer;

fn main() {}
