#include "../aclnn_mhc_post.h"
