#include "../aclnn_swiglu_group_quant.h"
