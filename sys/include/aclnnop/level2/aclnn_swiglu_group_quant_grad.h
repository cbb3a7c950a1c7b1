#include "../aclnn_swiglu_group_quant_grad.h"
