#include "../aclnn_sparse4to2quant_matmul_weight_nz.h"
