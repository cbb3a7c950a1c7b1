#include "../aclnn_cosh.h"
