#include "../aclnn_acos_grad.h"
