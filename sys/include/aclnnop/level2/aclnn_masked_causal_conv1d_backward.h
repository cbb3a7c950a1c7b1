#include "../aclnn_masked_causal_conv1d_backward.h"
