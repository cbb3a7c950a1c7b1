#include "../aclnn_qkv_rms_norm_rope_cache_with_k_scale.h"
