#include "../aclnn_tf_scatter_add.h"
