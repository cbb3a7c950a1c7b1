#include "../aclnn_exp_segsum_backward.h"
