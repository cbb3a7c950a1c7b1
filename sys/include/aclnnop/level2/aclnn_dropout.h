#include "../aclnn_dropout.h"
