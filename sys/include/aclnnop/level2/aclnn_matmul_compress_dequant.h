#include "../aclnn_matmul_compress_dequant.h"
