#include "../aclnn_norm.h"
