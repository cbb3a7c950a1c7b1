#include "../aclnn_copy.h"
