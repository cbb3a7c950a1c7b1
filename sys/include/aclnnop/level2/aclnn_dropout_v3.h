#include "../aclnn_dropout_v3.h"
