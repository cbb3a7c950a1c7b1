#include "../aclnn_sigmoid_backward.h"
