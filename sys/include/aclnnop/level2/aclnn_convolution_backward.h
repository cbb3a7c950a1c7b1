#include "../aclnn_convolution_backward.h"
