#include "../aclnn_grouped_mat_mul_allto_allv.h"
