#include "../aclnn_matmul_allto_all.h"
