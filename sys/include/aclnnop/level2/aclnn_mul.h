#include "../aclnn_mul.h"
