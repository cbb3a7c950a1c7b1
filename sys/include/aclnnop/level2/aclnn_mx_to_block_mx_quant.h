#include "../aclnn_mx_to_block_mx_quant.h"
