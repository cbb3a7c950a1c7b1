#include "../aclnn_deep_norm.h"
