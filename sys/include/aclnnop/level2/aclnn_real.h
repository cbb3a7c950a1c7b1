#include "../aclnn_real.h"
