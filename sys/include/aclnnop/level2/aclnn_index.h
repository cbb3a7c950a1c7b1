#include "../aclnn_index.h"
