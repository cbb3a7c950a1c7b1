#include "../aclnn_swiglu_backward_mx_quant_with_dual_axis.h"
