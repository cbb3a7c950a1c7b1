#include "../aclnn_weight_quant_batch_matmul.h"
