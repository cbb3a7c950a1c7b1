#include "../aclnn_atan_grad.h"
