#include "../aclnn_gaussian_nll_loss.h"
