#include "../aclnn_thnn_fused_lstm_cell.h"
