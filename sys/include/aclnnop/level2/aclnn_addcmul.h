#include "../aclnn_addcmul.h"
