#include "../aclnn_sort.h"
