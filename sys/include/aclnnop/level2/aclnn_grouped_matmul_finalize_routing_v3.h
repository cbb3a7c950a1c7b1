#include "../aclnn_grouped_matmul_finalize_routing_v3.h"
