#include "../aclnn_cross_entropy_loss.h"
