#include "../aclnn_quant_grouped_matmul_inplace_add.h"
