#include "../aclnn_gaussian_nll_loss_grad.h"
