#include "../aclnn_deep_norm_grad.h"
