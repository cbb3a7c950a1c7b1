#include "../aclnn_mhc_post_backward.h"
