#include "../aclnn_amax.h"
