#include "../aclnn_quant_matmul_allto_all_v2.h"
