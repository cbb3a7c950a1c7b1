#include "../aclnn_lstm_backward.h"
