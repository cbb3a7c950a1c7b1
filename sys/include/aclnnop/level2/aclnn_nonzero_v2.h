#include "../aclnn_nonzero_v2.h"
