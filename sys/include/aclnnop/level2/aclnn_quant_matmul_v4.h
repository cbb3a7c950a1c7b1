#include "../aclnn_quant_matmul_v4.h"
