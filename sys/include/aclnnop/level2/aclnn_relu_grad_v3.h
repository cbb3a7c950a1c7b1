#include "../aclnn_relu_grad_v3.h"
