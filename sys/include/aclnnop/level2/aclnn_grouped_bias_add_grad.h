#include "../aclnn_grouped_bias_add_grad.h"
