#include "../aclnn_foreach_sin.h"
