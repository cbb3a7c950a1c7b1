#include "../aclnn_index_add_v2.h"
