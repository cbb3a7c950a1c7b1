//! Functions of the library of descriptors that a CPU cannot emulate.

use aclnn_sys::{ACLNN_ERR_INNER_FIND_KERNEL_ERROR, aclnnStatus};

use super::declare::refusals;

// Programs look these up in this library beside its interface.
refusals! { undeclared SYMBOLS, ACLNN_ERR_INNER_FIND_KERNEL_ERROR, "the emulator has no compiled kernels to choose from":
    aclnnReselectStaticKernel -> aclnnStatus;
    aclnnReselectStaticKernelWithPath -> aclnnStatus;
}
