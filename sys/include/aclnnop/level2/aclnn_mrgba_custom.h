#include "../aclnn_mrgba_custom.h"
