#include "../aclnn_acosh_grad.h"
