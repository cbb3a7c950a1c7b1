#include "../aclnn_fill_diagonal.h"
