#include "../aclnn_x_log_y_scalar_other.h"
