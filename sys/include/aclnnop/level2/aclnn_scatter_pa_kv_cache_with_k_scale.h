#include "../aclnn_scatter_pa_kv_cache_with_k_scale.h"
