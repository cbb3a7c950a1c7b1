#include "../aclnn_causal_conv1d_update.h"
