#include "../aclnn_geglu_backward.h"
