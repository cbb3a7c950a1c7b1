#include "../aclnn_sparse_flash_attention.h"
