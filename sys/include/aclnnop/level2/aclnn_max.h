#include "../aclnn_max.h"
