#include "../aclnn_sparse_flash_attention_grad.h"
