#include "../aclnn_huber_loss.h"
