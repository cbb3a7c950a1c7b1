#include "../aclnn_ada_layer_norm_backward.h"
