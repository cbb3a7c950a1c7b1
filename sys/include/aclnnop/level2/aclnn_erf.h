#include "../aclnn_erf.h"
