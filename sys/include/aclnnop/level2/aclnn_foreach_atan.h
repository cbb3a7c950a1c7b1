#include "../aclnn_foreach_atan.h"
