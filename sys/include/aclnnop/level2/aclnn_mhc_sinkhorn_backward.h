#include "../aclnn_mhc_sinkhorn_backward.h"
