#include "../aclnn_fused_quant_matmul.h"
