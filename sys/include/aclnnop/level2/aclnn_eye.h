#include "../aclnn_eye.h"
