#include "../aclnn_quant_matmul_activation_quant_weight_nz.h"
