#include "../aclnn_soft_margin_loss_backward.h"
