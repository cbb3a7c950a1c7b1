#include "../aclnn_foreach_abs.h"
