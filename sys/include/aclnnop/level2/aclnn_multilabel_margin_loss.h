#include "../aclnn_multilabel_margin_loss.h"
