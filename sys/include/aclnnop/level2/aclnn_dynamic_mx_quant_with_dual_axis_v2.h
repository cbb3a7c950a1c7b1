#include "../aclnn_dynamic_mx_quant_with_dual_axis_v2.h"
