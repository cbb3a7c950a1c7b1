#include "../aclnn_quant_matmul_all_reduce_v5.h"
