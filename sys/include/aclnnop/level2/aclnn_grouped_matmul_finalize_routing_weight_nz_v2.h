#include "../aclnn_grouped_matmul_finalize_routing_weight_nz_v2.h"
