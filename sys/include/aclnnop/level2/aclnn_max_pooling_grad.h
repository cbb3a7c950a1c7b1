#include "../aclnn_max_pooling_grad.h"
