#include "../aclnn_sparse_flash_attention_v2.h"
