#include "../aclnn_foreach_tanh.h"
