#include "../aclnn_fused_causal_conv1d.h"
