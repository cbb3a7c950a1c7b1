#include "../aclnn_add_layer_norm.h"
