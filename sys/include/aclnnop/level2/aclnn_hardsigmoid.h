#include "../aclnn_hardsigmoid.h"
