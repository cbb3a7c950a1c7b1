#include "../aclnn_nll_loss_backward.h"
