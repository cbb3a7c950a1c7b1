#include "../aclnn_logit_grad.h"
