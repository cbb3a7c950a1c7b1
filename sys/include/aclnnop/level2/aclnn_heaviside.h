#include "../aclnn_heaviside.h"
