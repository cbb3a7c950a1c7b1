#include "../aclnn_mse_loss_backward.h"
