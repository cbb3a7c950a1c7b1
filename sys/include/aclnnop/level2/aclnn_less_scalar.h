#include "../aclnn_less_scalar.h"
