#include "../aclnn_random.h"
