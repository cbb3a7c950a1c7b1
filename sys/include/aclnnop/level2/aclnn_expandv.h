#include "../aclnn_expandv.h"
