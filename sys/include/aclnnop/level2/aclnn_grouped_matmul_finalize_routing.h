#include "../aclnn_grouped_matmul_finalize_routing.h"
