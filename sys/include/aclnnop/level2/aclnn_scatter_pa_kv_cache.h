#include "../aclnn_scatter_pa_kv_cache.h"
