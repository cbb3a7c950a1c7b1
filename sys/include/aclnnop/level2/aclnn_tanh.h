#include "../aclnn_tanh.h"
