#include "../aclnn_all_gather_matmul.h"
