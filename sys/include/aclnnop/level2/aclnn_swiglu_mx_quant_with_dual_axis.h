#include "../aclnn_swiglu_mx_quant_with_dual_axis.h"
