#include "../aclnn_quant_matmul_v3.h"
