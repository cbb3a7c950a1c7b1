#include "../aclnn_kv_quant_sparse_flash_attention.h"
