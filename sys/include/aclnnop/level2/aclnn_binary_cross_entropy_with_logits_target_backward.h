#include "../aclnn_binary_cross_entropy_with_logits_target_backward.h"
