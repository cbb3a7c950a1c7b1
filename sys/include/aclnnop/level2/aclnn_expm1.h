#include "../aclnn_expm1.h"
