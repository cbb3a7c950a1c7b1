#include "../aclnn_mhc_pre_sinkhorn.h"
