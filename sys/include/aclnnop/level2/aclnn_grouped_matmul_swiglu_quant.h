#include "../aclnn_grouped_matmul_swiglu_quant.h"
