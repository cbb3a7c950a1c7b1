#include "../aclnn_dynamic_mx_quant_with_dual_axis.h"
