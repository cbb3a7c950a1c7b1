#include "../aclnn_softshrink_backward.h"
