#include "../aclnn_grouped_mat_mul_all_reduce.h"
