#include "../aclnn_logsumexp.h"
