#include "../aclnn_fused_patch_mlp.h"
