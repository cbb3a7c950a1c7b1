#include "../aclnn_scatter_pa_cache.h"
