#include "../aclnn_grouped_matmul_activation_quant_weight_nz.h"
