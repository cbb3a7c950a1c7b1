#include "../aclnn_logical_xor.h"
