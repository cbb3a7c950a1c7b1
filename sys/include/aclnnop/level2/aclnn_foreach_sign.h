#include "../aclnn_foreach_sign.h"
