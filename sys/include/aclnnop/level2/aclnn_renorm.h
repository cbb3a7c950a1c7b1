#include "../aclnn_renorm.h"
