#include "../aclnn_index_fill.h"
