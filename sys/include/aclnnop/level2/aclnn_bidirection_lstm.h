#include "../aclnn_bidirection_lstm.h"
