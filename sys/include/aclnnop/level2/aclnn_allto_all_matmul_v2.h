#include "../aclnn_allto_all_matmul_v2.h"
