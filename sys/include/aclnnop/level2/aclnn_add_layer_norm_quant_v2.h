#include "../aclnn_add_layer_norm_quant_v2.h"
