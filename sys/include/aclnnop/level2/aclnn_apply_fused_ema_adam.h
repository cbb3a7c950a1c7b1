#include "../aclnn_apply_fused_ema_adam.h"
