#include "../aclnn_batch_norm_gather_stats_with_counts.h"
