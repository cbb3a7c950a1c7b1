#include "../aclnn_foreach_cos.h"
