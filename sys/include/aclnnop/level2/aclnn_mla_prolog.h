#include "../aclnn_mla_prolog.h"
