#include "../aclnn_l1_loss.h"
