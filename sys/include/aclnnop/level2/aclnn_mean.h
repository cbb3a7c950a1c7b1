#include "../aclnn_mean.h"
