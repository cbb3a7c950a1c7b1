#include "../aclnn_foreach_non_finite_check_and_unscale.h"
