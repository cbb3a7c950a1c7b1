#include "../aclnn_block_sparse_attention_v3.h"
