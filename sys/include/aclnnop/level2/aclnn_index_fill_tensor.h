#include "../aclnn_index_fill_tensor.h"
