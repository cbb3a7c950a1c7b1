#include "../aclnn_im2col_backward.h"
