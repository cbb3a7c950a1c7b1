#include "../aclnn_rgb2yuv422.h"
