#include "../aclnn_add_layer_norm_grad.h"
