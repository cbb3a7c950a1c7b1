#include "../aclnn_aminmax.h"
