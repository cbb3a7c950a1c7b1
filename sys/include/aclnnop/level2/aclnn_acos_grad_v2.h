#include "../aclnn_acos_grad_v2.h"
