#include "../aclnn_matmul.h"
