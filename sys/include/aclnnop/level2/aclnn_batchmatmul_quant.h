#include "../aclnn_batchmatmul_quant.h"
