#include "../aclnn_mish.h"
