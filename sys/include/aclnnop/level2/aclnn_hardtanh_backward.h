#include "../aclnn_hardtanh_backward.h"
