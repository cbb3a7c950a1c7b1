#include "../aclnn_as_strided.h"
