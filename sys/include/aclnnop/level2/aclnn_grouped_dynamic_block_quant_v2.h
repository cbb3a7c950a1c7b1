#include "../aclnn_grouped_dynamic_block_quant_v2.h"
