#include "../aclnn_batch_norm_stats.h"
