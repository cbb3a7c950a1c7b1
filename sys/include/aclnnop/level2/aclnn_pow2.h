#include "../aclnn_pow2.h"
