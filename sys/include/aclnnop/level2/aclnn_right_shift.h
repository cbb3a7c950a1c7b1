#include "../aclnn_right_shift.h"
