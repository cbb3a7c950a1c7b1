#include "../aclnn_ada_layer_norm.h"
