#include "../aclnn_apply_adadelta.h"
