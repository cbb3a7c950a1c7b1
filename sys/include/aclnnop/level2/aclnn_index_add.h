#include "../aclnn_index_add.h"
