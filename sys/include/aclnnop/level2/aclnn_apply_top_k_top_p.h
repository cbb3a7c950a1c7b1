#include "../aclnn_apply_top_k_top_p.h"
