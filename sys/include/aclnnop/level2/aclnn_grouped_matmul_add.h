#include "../aclnn_grouped_matmul_add.h"
