#include "../aclnn_all_to_all_all_gather_batch_matmul.h"
