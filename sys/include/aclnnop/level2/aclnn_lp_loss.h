#include "../aclnn_lp_loss.h"
