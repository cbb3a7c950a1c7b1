#include "../aclnn_inplace_fused_causal_conv1d.h"
