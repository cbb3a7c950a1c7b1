#include "../aclnn_le_scalar.h"
