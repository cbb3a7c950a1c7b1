#include "../aclnn_batch_matmul.h"
