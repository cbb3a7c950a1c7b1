#include "../aclnn_reciprocal.h"
