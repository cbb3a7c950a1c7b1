#include "../aclnn_fused_floyd_attention.h"
