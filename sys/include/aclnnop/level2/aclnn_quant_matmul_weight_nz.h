#include "../aclnn_quant_matmul_weight_nz.h"
