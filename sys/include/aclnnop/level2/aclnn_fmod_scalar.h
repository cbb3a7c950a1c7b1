#include "../aclnn_fmod_scalar.h"
