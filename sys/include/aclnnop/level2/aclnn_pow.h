#include "../aclnn_pow.h"
