#include "../aclnn_l1_loss_backward.h"
