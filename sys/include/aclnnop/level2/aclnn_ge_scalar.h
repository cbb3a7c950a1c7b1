#include "../aclnn_ge_scalar.h"
