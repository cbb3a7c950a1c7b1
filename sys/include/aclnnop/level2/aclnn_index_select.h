#include "../aclnn_index_select.h"
