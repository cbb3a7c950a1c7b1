#include "../aclnn_mse_loss_grad.h"
