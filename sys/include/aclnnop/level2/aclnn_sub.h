#include "../aclnn_sub.h"
