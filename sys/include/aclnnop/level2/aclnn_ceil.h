#include "../aclnn_ceil.h"
