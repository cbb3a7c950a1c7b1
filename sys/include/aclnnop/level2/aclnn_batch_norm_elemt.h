#include "../aclnn_batch_norm_elemt.h"
