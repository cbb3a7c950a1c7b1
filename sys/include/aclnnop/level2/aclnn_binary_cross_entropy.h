#include "../aclnn_binary_cross_entropy.h"
