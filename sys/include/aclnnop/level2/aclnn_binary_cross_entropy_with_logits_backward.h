#include "../aclnn_binary_cross_entropy_with_logits_backward.h"
