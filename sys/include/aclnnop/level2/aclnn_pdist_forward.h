#include "../aclnn_pdist_forward.h"
