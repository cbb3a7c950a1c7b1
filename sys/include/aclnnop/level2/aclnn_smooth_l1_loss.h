#include "../aclnn_smooth_l1_loss.h"
