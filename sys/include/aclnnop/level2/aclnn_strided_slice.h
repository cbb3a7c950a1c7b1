#include "../aclnn_strided_slice.h"
