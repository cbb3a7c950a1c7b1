#include "../aclnn_asin_with_agent.h"
