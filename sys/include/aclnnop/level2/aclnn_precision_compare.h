#include "../aclnn_precision_compare.h"
