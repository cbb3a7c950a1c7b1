#include "../aclnn_nll_loss2d_backward.h"
