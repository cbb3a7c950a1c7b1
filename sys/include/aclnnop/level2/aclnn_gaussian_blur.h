#include "../aclnn_gaussian_blur.h"
