#include "../aclnn_sparse_flash_mla_metadata.h"
