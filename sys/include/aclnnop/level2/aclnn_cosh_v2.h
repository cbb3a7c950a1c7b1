#include "../aclnn_cosh_v2.h"
