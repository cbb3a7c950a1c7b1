#include "../aclnn_add_mat_mat_elements_plus.h"
