#include "../aclnn_bidirection_lstmv2.h"
