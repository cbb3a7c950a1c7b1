#include "../aclnn_mhc_sinkhorn.h"
