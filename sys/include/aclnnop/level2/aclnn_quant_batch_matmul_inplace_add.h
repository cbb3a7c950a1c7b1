#include "../aclnn_quant_batch_matmul_inplace_add.h"
