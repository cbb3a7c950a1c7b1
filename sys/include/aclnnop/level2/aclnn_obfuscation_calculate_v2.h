#include "../aclnn_obfuscation_calculate_v2.h"
