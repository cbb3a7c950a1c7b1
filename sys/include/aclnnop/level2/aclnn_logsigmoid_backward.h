#include "../aclnn_logsigmoid_backward.h"
