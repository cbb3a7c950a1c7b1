#include "../aclnn_matmul_compress.h"
