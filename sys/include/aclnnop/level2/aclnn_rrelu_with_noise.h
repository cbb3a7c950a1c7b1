#include "../aclnn_rrelu_with_noise.h"
