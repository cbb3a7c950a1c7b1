#include "../aclnn_reduce_nansum.h"
