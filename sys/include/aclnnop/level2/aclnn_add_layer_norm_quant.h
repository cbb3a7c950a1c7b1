#include "../aclnn_add_layer_norm_quant.h"
