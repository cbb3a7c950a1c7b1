#include "../aclnn_permute.h"
