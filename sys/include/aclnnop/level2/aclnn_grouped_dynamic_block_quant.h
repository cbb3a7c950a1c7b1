#include "../aclnn_grouped_dynamic_block_quant.h"
