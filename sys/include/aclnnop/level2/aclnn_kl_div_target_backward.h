#include "../aclnn_kl_div_target_backward.h"
