#include "../aclnn_fused_sgd.h"
