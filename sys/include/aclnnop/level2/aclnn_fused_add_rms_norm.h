#include "../aclnn_fused_add_rms_norm.h"
