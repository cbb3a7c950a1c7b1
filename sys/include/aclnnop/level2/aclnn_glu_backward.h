#include "../aclnn_glu_backward.h"
