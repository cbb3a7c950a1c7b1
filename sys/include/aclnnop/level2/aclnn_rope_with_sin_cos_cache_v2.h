#include "../aclnn_rope_with_sin_cos_cache_v2.h"
