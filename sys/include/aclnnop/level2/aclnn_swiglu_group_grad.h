#include "../aclnn_swiglu_group_grad.h"
