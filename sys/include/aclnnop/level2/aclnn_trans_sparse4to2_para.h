#include "../aclnn_trans_sparse4to2_para.h"
