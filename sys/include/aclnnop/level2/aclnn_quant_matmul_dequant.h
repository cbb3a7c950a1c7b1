#include "../aclnn_quant_matmul_dequant.h"
