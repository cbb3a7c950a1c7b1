#include "../aclnn_shrink.h"
