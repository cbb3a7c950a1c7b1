#include "../aclnn_frac.h"
