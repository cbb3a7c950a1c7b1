#include "../aclnn_sparse_flash_mla_softmax_l1_norm_metadata.h"
