#include "../aclnn_layer_norm_backward.h"
