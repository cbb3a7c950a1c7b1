#include "../aclnn_reflection_pad1d.h"
