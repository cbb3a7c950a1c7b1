#include "../aclnn_normal.h"
