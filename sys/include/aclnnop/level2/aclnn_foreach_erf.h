#include "../aclnn_foreach_erf.h"
