#include "../aclnn_circular_pad2d.h"
