#include "../aclnn_masked_fill_scalar.h"
