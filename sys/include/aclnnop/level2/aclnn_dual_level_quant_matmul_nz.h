#include "../aclnn_dual_level_quant_matmul_nz.h"
