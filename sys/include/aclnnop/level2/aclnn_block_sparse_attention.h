#include "../aclnn_block_sparse_attention.h"
