#include "../aclnn_soft_margin_loss.h"
