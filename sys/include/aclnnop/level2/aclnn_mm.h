#include "../aclnn_mm.h"
