#include "../aclnn_hinge_loss_grad.h"
