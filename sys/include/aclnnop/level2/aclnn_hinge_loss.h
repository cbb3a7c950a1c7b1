#include "../aclnn_hinge_loss.h"
