#include "../aclnn_fill_scalar.h"
