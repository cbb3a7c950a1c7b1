#include "../aclnn_dropout_v3_grad.h"
