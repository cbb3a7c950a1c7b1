#include "../aclnn_elastic_receivable_test.h"
