#include "../aclnn_swiglu_mx_quant.h"
