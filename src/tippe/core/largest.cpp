// SPDX-License-Identifier: Apache-2.0
#include "tippe/core/largest.h"

namespace tippe {

double largest(const Eigen::Ref<const Eigen::MatrixXd>& X) {
  return X.size() > 0 ? X.cwiseAbs().maxCoeff() : 0.0;
}

}  // namespace tippe
