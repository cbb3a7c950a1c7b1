#include "../aclnn_quant_matmul_reduce_sum.h"
