#include "../aclnn_dynamic_dual_level_mx_quant.h"
