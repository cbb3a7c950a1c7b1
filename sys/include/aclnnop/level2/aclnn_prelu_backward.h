#include "../aclnn_prelu_backward.h"
