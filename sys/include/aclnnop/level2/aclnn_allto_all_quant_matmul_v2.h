#include "../aclnn_allto_all_quant_matmul_v2.h"
