#include "../aclnn_abs.h"
