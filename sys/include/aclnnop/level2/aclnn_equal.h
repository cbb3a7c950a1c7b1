#include "../aclnn_equal.h"
