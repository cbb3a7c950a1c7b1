#include "../aclnn_isneginf.h"
