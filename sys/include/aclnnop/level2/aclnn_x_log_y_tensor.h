#include "../aclnn_x_log_y_tensor.h"
