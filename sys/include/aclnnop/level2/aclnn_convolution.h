#include "../aclnn_convolution.h"
