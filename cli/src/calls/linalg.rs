//! Linear algebra.

use aclnn::ops::{self, QrMode};

use super::function::functions;
use super::operation::Direct;

functions! {
    inverse(own: tensor)[Inverse] => Direct(|| own.inverse());
    qr(own: tensor, complete: bool = "false")[LinalgQr Qr] =>
        Direct(|| own.qr(if complete { QrMode::Complete } else { QrMode::Reduced }));
    slogdet(own: tensor)[Slogdet] => Direct(|| own.slogdet());
    logdet(own: tensor)[Logdet] => Direct(|| own.logdet());
    det(own: tensor)[] => Direct(|| own.det());
    cholesky(own: tensor, upper: bool = "false")[LinalgCholesky] => Direct(|| own.cholesky(upper));
    svd(own: tensor, full_matrices: bool = "false")[Svd] => Direct(|| own.svd(full_matrices));
    svdvals(own: tensor)[] => Direct(|| own.svdvals());
    triangular_solve(own: tensor, triangle: tensor, upper: bool = "false", transpose: bool = "false",
        unitriangular: bool = "false")[TriangularSolve] => Direct(|| {
            let mut solve = ops::triangular_solve(own, triangle);
            if upper {
                solve = solve.upper();
            }
            if transpose {
                solve = solve.transpose();
            }
            if unitriangular {
                solve = solve.unitriangular();
            }
            solve.run()
        });
    cross(own: tensor, other: tensor, axis: axis = "-1")[LinalgCross] => Direct(|| own.cross(other, axis));
    trace(own: tensor)[Trace] => Direct(|| own.trace());
    cdist(own: tensor, other: tensor, p: f64 = "2")[Cdist] => Direct(|| own.cdist(other, p));
    cdist_backward(gradient: tensor, own: tensor, other: tensor, distances: tensor, p: f64 = "2")[CdistBackward] =>
        Direct(|| ops::cdist_backward(gradient, own, other, distances, p));
    pdist(own: tensor, p: f64 = "2")[Pdist PdistForward] => Direct(|| own.pdist(p));
    einsum(equation: text, operands: tensors)[Einsum] => Direct(|| ops::einsum(&equation, &operands));
}
