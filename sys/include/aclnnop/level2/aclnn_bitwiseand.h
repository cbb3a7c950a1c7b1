#include "../aclnn_bitwiseand.h"
