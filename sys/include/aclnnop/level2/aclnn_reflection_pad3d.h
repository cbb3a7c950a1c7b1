#include "../aclnn_reflection_pad3d.h"
