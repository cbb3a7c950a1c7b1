#include "../aclnn_foreach_acos.h"
