#include "../aclnn_strided_slice_assign_v2.h"
