#include "../aclnn_mse_loss_out.h"
