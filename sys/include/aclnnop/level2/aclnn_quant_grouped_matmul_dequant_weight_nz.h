#include "../aclnn_quant_grouped_matmul_dequant_weight_nz.h"
