#include "../aclnn_one.h"
