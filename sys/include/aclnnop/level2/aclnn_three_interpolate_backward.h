#include "../aclnn_three_interpolate_backward.h"
