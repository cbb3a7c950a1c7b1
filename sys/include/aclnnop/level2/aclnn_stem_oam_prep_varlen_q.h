#include "../aclnn_stem_oam_prep_varlen_q.h"
