#include "../aclnn_quant_all_reduce.h"
