#include "../aclnn_hardsigmoid_v2.h"
