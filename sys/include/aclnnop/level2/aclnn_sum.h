#include "../aclnn_sum.h"
