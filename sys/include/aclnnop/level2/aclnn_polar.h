#include "../aclnn_polar.h"
