#include "../aclnn_kl_div_backward.h"
