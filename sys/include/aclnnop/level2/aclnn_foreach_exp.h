#include "../aclnn_foreach_exp.h"
