#include "../aclnn_index_copy.h"
