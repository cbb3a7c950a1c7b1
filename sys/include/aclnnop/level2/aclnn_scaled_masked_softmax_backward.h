#include "../aclnn_scaled_masked_softmax_backward.h"
