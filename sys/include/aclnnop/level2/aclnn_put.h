#include "../aclnn_put.h"
