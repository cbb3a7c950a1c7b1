#include "../aclnn_inplace_quant_matmul_all_reduce_add_rms_norm.h"
