#include "../aclnn_log10.h"
