#include "../aclnn_left_shift.h"
