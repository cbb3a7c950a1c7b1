#include "../aclnn_weight_quant_batch_matmul_v3.h"
