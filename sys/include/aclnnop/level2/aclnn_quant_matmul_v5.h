#include "../aclnn_quant_matmul_v5.h"
