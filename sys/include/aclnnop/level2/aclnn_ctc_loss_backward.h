#include "../aclnn_ctc_loss_backward.h"
