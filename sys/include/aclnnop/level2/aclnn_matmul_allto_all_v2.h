#include "../aclnn_matmul_allto_all_v2.h"
