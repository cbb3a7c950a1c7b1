#include "../aclnn_mse_loss.h"
