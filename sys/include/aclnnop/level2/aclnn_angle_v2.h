#include "../aclnn_angle_v2.h"
