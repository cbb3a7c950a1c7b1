#include "../aclnn_selu_backward.h"
