#include "../aclnn_fmod_tensor.h"
