#include "../aclnn_mixed_quant_sparse_flash_mla_metadata.h"
