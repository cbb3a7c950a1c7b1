#include "../aclnn_allto_allv_grouped_mat_mul_v2.h"
