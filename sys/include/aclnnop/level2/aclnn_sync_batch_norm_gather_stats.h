#include "../aclnn_sync_batch_norm_gather_stats.h"
