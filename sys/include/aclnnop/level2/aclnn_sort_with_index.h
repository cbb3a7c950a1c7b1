#include "../aclnn_sort_with_index.h"
