#include "../aclnn_logsoftmax_backward.h"
