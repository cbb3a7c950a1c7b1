#include "../aclnn_tanh_grad.h"
