//! Factorizations of matrices and results computed from them, cross products, distances between rows.

/// Hands the operators of linear algebra to `$callback!`.
#[macro_export]
macro_rules! linalg_operators {
    ($callback:path) => {
        $callback! {
            linalg, Linalg:
            /// The inverses of square matrices
            inverse (takes: types("f32 f16 f64 complex"), output: Castable) {
                Inverse = "aclnnInverse"(self_: tensor, out: out);
            }

            /// The QR factorization: an orthogonal matrix and an upper triangular matrix, whose product is the matrix
            qr (takes: types("f32 f16 f64 complex"), output: Any(types("f32 f16 f64 complex"))) {
                LinalgQr = "aclnnLinalgQr"(self_: tensor, mode: i64, Q: out, R: out);
                Qr = "aclnnQr"(self_: tensor, some: bool, Q: out, R: out);
            }

            /// The sign of the determinant, and the logarithm of its absolute value
            slogdet (takes: types("f32 f64 complex"), output: Any(types("f32 f64 complex"))) {
                Slogdet = "aclnnSlogdet"(self_: tensor, signOut: out, logOut: out);
            }

            /// The logarithm of the determinant
            logdet (takes: types("f32 f64 complex"), output: Any(types("f32 f64 complex"))) {
                Logdet = "aclnnLogdet"(self_: tensor, out: out);
            }

            /// The Cholesky factor: the triangular matrix whose product with its transpose is a symmetric matrix
            cholesky (takes: types("f32@910B,950 f16@910B,950 bf16@910B,950"), output: Own) {
                LinalgCholesky = "aclnnLinalgCholesky"(self_: tensor, upper: bool, out: out);
            }

            /// The singular values, and the left and right singular vectors
            svd (takes: types("f32 f64 complex"), output: Own) {
                Svd = "aclnnSvd"(input: tensor, fullMatrices: bool, computeUV: bool, sigma: out, u: out, v: out);
            }

            /// The solutions of equations with a triangular matrix, and that matrix
            triangular_solve (takes: types("f32 f64 complex"), output: Own) {
                TriangularSolve = "aclnnTriangularSolve"(
                    self_: tensor, A: tensor, upper: bool, transpose: bool, unitriangular: bool, xOut: out,
                    mOut: out_or_null
                );
            }

            /// The cross products of vectors of three elements
            cross (takes: types("float f64 int complex"), output: Own) {
                LinalgCross = "aclnnLinalgCross"(self_: tensor, other: tensor, dim: i64, out: out);
            }

            /// The sum of the diagonal of a matrix
            trace (takes: types("float f64 int bool complex"), output: Exact) {
                Trace = "aclnnTrace"(self_: tensor, out: out);
            }

            /// Distances between the rows of two matrices
            cdist (takes: types("f32@910B,950 f16@910B,950 bf16@910B,950"), output: Own) {
                Cdist = "aclnnCdist"(x1: tensor, x2: tensor, p: f32, compute_mode: i64, out: out);
            }

            /// The gradient of the distances between the rows of two matrices, for the first matrix
            cdist_backward (takes: types("f32@910B,950 f16@910B,950 bf16@910B,950"), output: Own) {
                CdistBackward = "aclnnCdistBackward"(
                    grad: tensor, x1: tensor, x2: tensor, cdist: tensor, p: f32, out: out
                );
            }

            /// Distances between each row of a matrix and each later row
            pdist (takes: types("f32 f16"), output: Own) {
                Pdist = "aclnnPdist"(self_: tensor, p: f32, out: out);
                PdistForward = "aclnnPdistForward"(self_: tensor, pScalar: scalar, out: out);
            }
        }
    };
}

linalg_operators!(super::info::family);
