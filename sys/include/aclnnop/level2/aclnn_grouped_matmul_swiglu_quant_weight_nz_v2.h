#include "../aclnn_grouped_matmul_swiglu_quant_weight_nz_v2.h"
