#include "../aclnn_tan.h"
