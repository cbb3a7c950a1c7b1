#include "../aclnn_quant_matmul.h"
