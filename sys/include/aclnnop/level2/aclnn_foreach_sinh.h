#include "../aclnn_foreach_sinh.h"
