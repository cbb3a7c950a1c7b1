#include "../aclnn_dropout_backward.h"
