#include "../aclnn_arange.h"
