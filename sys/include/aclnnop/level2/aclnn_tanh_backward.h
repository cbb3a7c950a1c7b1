#include "../aclnn_tanh_backward.h"
