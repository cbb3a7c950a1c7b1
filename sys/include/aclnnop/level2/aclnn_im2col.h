#include "../aclnn_im2col.h"
