#include "../aclnn_group_norm_swish_grad.h"
