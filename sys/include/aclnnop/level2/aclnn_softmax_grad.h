#include "../aclnn_softmax_grad.h"
