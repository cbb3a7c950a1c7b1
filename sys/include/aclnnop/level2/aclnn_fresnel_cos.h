#include "../aclnn_fresnel_cos.h"
