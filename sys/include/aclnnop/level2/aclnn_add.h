#include "../aclnn_add.h"
