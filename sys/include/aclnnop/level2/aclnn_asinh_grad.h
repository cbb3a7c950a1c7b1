#include "../aclnn_asinh_grad.h"
