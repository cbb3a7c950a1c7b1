#include "../aclnn_layer_norm_quant.h"
