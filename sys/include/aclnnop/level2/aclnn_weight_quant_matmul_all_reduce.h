#include "../aclnn_weight_quant_matmul_all_reduce.h"
