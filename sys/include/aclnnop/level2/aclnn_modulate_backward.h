#include "../aclnn_modulate_backward.h"
