#include "../aclnn_fused_bias_leaky_relu.h"
