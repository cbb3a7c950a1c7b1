#include "../aclnn_block_sparse_attention_grad.h"
