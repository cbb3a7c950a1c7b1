#include "../aclnn_unique_dim.h"
