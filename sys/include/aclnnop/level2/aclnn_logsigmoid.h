#include "../aclnn_logsigmoid.h"
