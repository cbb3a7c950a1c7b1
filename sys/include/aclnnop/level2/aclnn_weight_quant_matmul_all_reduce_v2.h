#include "../aclnn_weight_quant_matmul_all_reduce_v2.h"
