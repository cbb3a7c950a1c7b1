#include "../aclnn_fused_linear_cross_entropy_loss_grad.h"
