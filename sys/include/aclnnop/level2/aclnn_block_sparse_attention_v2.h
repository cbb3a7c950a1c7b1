#include "../aclnn_block_sparse_attention_v2.h"
