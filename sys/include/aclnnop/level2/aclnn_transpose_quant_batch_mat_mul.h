#include "../aclnn_transpose_quant_batch_mat_mul.h"
