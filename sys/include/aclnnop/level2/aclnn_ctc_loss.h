#include "../aclnn_ctc_loss.h"
