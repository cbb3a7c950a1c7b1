#include "../aclnn_mv.h"
