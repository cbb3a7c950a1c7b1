#include "../aclnn_cross_entropy_loss_grad.h"
