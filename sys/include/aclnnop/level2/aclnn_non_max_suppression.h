#include "../aclnn_non_max_suppression.h"
