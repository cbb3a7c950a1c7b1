#include "../aclnn_group_normalization_grad.h"
