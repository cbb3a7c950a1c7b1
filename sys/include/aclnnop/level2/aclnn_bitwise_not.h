#include "../aclnn_bitwise_not.h"
