#include "../aclnn_nan_to_num.h"
