#include "../aclnn_add_mat_mat_elements.h"
