#include "../aclnn_average_pooling_grad.h"
