#include "../aclnn_topk_v2.h"
