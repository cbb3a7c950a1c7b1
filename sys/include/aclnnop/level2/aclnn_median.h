#include "../aclnn_median.h"
