#include "../aclnn_split_with_size.h"
