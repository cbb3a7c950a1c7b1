#include "../aclnn_slice_v2.h"
