#include "../aclnn_ne_scalar.h"
