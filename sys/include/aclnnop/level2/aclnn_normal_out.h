#include "../aclnn_normal_out.h"
