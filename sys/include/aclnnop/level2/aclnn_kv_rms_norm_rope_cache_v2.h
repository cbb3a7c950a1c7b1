#include "../aclnn_kv_rms_norm_rope_cache_v2.h"
