#include "../aclnn_masked_select.h"
