#include "../aclnn_qkv_rms_norm_rope_cache.h"
