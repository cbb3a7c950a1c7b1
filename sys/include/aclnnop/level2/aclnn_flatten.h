#include "../aclnn_flatten.h"
