#include "../aclnn_softmax_backward.h"
