#include "../aclnn_segsum.h"
