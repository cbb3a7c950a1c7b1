#include "../aclnn_add_v3.h"
