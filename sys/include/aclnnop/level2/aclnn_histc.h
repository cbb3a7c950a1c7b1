#include "../aclnn_histc.h"
