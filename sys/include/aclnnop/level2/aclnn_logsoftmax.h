#include "../aclnn_logsoftmax.h"
