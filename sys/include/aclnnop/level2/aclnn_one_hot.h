#include "../aclnn_one_hot.h"
