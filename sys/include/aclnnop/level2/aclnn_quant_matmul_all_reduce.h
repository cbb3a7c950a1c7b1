#include "../aclnn_quant_matmul_all_reduce.h"
