#include "../aclnn_und_gen_qkv_rms_norm_rope_cache.h"
