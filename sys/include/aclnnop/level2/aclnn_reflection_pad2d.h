#include "../aclnn_reflection_pad2d.h"
