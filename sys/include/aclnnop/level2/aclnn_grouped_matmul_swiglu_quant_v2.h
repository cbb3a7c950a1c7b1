#include "../aclnn_grouped_matmul_swiglu_quant_v2.h"
