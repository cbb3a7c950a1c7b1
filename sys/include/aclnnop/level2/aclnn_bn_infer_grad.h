#include "../aclnn_bn_infer_grad.h"
