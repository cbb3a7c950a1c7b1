#include "../aclnn_foreach_neg.h"
