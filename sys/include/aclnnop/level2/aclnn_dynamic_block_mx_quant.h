#include "../aclnn_dynamic_block_mx_quant.h"
