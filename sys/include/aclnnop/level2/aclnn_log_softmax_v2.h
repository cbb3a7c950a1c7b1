#include "../aclnn_log_softmax_v2.h"
