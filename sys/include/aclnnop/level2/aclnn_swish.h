#include "../aclnn_swish.h"
