#include "../aclnn_slogdet.h"
