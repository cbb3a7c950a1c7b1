#include "../aclnn_sigmoid.h"
