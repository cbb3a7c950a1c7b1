#include "../aclnn_nll_loss.h"
