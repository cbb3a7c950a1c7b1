#include "../aclnn_gemm.h"
