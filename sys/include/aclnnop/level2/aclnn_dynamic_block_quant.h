#include "../aclnn_dynamic_block_quant.h"
