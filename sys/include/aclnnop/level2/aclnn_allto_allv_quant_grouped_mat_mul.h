#include "../aclnn_allto_allv_quant_grouped_mat_mul.h"
