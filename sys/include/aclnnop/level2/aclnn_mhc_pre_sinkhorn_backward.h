#include "../aclnn_mhc_pre_sinkhorn_backward.h"
