#include "../aclnn_quant_sparse_flash_mla_metadata.h"
