#include "../aclnn_add_n.h"
