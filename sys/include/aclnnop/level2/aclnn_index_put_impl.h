#include "../aclnn_index_put_impl.h"
