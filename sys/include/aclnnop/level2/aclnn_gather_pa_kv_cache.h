#include "../aclnn_gather_pa_kv_cache.h"
