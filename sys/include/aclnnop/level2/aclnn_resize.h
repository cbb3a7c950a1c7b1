#include "../aclnn_resize.h"
