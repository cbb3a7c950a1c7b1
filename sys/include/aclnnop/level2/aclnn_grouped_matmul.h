#include "../aclnn_grouped_matmul.h"
