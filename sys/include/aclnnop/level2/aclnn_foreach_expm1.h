#include "../aclnn_foreach_expm1.h"
