#include "../aclnn_grouped_matmul_finalize_routing_v2.h"
