#include "../aclnn_quant_matmul_allto_all.h"
