#include "../aclnn_elastic_receivable_info_collect.h"
