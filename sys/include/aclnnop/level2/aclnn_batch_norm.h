#include "../aclnn_batch_norm.h"
