#include "../aclnn_fused_adamw.h"
