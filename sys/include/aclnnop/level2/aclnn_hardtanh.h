#include "../aclnn_hardtanh.h"
