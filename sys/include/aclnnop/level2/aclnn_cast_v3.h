#include "../aclnn_cast_v3.h"
