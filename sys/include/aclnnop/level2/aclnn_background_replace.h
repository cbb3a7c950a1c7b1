#include "../aclnn_background_replace.h"
