#include "../aclnn_fresnel_sin.h"
