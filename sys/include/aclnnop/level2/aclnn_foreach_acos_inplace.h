#include "../aclnn_foreach_acos_inplace.h"
