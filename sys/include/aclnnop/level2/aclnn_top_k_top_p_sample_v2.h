#include "../aclnn_top_k_top_p_sample_v2.h"
