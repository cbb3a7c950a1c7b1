#include "../aclnn_quant_grouped_mat_mul_allto_allv_v2.h"
