#include "../aclnn_quant_grouped_matmul_dequant.h"
