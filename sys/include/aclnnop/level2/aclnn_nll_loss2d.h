#include "../aclnn_nll_loss2d.h"
