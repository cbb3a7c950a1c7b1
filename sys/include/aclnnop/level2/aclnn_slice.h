#include "../aclnn_slice.h"
