#include "../aclnn_pdist.h"
