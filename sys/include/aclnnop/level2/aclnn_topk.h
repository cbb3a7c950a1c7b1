#include "../aclnn_topk.h"
