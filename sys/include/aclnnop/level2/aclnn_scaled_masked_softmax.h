#include "../aclnn_scaled_masked_softmax.h"
