#include "../aclnn_rope_with_sin_cos_cache.h"
