#include "../aclnn_ada_layer_norm_v2.h"
