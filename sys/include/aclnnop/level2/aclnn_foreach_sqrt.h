#include "../aclnn_foreach_sqrt.h"
