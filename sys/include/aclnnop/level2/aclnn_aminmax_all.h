#include "../aclnn_aminmax_all.h"
