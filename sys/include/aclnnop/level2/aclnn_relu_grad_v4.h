#include "../aclnn_relu_grad_v4.h"
