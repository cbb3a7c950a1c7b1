#include "../aclnn_exp2.h"
