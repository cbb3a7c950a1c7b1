#include "../aclnn_nonzero.h"
