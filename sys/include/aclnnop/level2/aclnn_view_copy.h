#include "../aclnn_view_copy.h"
