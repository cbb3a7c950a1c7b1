#include "../aclnn_layer_norm.h"
