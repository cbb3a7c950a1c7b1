#include "../aclnn_range.h"
