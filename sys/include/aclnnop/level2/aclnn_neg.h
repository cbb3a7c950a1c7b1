#include "../aclnn_neg.h"
