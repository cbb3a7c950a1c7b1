#include "../aclnn_fused_adam.h"
