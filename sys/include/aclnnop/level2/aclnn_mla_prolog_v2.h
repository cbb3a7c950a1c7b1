#include "../aclnn_mla_prolog_v2.h"
