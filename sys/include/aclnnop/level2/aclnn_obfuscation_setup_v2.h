#include "../aclnn_obfuscation_setup_v2.h"
