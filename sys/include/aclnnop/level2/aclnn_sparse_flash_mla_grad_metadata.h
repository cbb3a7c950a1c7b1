#include "../aclnn_sparse_flash_mla_grad_metadata.h"
