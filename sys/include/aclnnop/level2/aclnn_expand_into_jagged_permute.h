#include "../aclnn_expand_into_jagged_permute.h"
