#include "../aclnn_bidirection_lstm_v2.h"
