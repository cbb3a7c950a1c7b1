#include "../aclnn_fused_quant_matmul_weight_nz.h"
