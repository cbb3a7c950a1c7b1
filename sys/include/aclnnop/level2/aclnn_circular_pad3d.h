#include "../aclnn_circular_pad3d.h"
