#include "../aclnn_softmax_cross_entropy_with_logits.h"
