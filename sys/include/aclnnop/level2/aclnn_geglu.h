#include "../aclnn_geglu.h"
