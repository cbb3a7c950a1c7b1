#include "../aclnn_lstm.h"
