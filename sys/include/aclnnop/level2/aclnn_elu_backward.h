#include "../aclnn_elu_backward.h"
