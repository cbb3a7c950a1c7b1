#include "../aclnn_allto_all_quant_matmul.h"
