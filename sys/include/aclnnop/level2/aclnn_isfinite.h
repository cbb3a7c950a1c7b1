#include "../aclnn_isfinite.h"
