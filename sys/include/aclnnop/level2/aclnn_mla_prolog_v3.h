#include "../aclnn_mla_prolog_v3.h"
