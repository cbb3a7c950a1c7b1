//! Products of matrices and vectors, alone and added to a tensor.

/// Calls `$callback!` with the products of matrices.
#[macro_export]
macro_rules! matrix_operators {
    ($callback:path) => {
        $callback! {
            matrix, Matrix:

            /// The product of two matrices, of matrices in batches that broadcast, or of vectors
            matmul (takes: types("float"), output: Any(types("float"))) {
                Matmul = "aclnnMatmul"(self_: tensor, mat2: tensor, out: out, cubeMathType: i8);
                MatmulWeightNz = "aclnnMatmulWeightNz"(self_: tensor, mat2: tensor, out: out, cubeMathType: i8);
            }

            /// The product of two matrices
            mm (takes: types("float"), output: Any(types("float"))) {
                Mm = "aclnnMm"(self_: tensor, mat2: tensor, out: out, cubeMathType: i8);
            }

            /// The product of each matrix of one batch and that of another
            batch_mat_mul (takes: types("float"), output: Any(types("float"))) {
                BatchMatMul = "aclnnBatchMatMul"(self_: tensor, mat2: tensor, out: out, cubeMathType: i8);
                BatchMatMulWeightNz = "aclnnBatchMatMulWeightNz"(self_: tensor, mat2: tensor, out: out, cubeMathType: i8);
            }

            /// The product of a matrix and a vector
            mv (takes: types("float"), output: Own) {
                Mv = "aclnnMv"(self_: tensor, vec: tensor, out: out, cubeMathType: i8);
            }

            /// The dot product of two vectors
            dot (takes: types("float i8 i32 u8"), output: Own) {
                Dot = "aclnnDot"(self_: tensor, tensor: tensor, out: out);
            }

            /// The product of two matrices times alpha, plus a tensor times beta
            addmm (takes: types("float"), output: Any(types("float"))) {
                Addmm = "aclnnAddmm"(
                    self_: tensor, mat1: tensor, mat2: tensor, beta: scalar, alpha: scalar, out: out, cubeMathType: i8
                );
                InplaceAddmm = "aclnnInplaceAddmm"(
                    selfRef: inout_const, mat1: tensor, mat2: tensor, beta: scalar, alpha: scalar, cubeMathType: i8
                );
                AddmmWeightNz = "aclnnAddmmWeightNz"(
                    self_: tensor, mat1: tensor, mat2: tensor, beta: scalar, alpha: scalar, out: out, cubeMathType: i8
                );
            }

            /// The product of a matrix and a vector times alpha, plus a vector times beta
            addmv (takes: types("float int f64 bool"), output: Castable) {
                Addmv = "aclnnAddmv"(
                    self_: tensor, mat: tensor, vec: tensor, alpha: scalar, beta: scalar, out: out, cubeMathType: i8
                );
            }

            /// The products of the matrices of two batches times alpha, plus a tensor times beta
            baddbmm (takes: types("float"), output: Any(types("float"))) {
                Baddbmm = "aclnnBaddbmm"(
                    self_: tensor, batch1: tensor, batch2: tensor, beta: scalar, alpha: scalar, out: out, cubeMathType: i8
                );
                InplaceBaddbmm = "aclnnInplaceBaddbmm"(
                    selfRef: inout_const, batch1: tensor, batch2: tensor, beta: scalar, alpha: scalar, cubeMathType: i8
                );
            }

            /// The sum of the products of the matrices of two batches times alpha, plus a matrix times beta
            addbmm (takes: types("float"), output: Any(types("float"))) {
                Addbmm = "aclnnAddbmm"(
                    self_: tensor, batch1: tensor, batch2: tensor, beta: scalar, alpha: scalar, out: out, cubeMathType: i8
                );
                InplaceAddbmm = "aclnnInplaceAddbmm"(
                    selfRef: inout, batch1: tensor, batch2: tensor, beta: scalar, alpha: scalar, cubeMathType: i8
                );
            }

            /// The product of two matrices, each as it is or transposed, times alpha, plus a matrix times beta
            gemm (takes: types("float"), output: Any(types("float"))) {
                Gemm = "aclnnGemm"(
                    A: tensor, B: tensor, C: tensor, alpha: f32, beta: f32, transA: i64, transB: i64, out: out,
                    cubeMathType: i8
                );
            }

            /// The outer product of two vectors
            ger (takes: types("f32 f16 bf16@950 i32 f64 i8 u8 i16 bool i64 complex"), output: Castable) {
                Ger = "aclnnGer"(self_: tensor, vec2: tensor, out: out);
            }

            /// The outer product of two vectors times alpha, plus a matrix times beta
            addr (takes: types("float f64 int bool"), output: Any(types("float f64 int bool"))) {
                Addr = "aclnnAddr"(
                    self_: tensor, vec1: tensor, vec2: tensor, betaOptional: scalar_or_null, alphaOptional: scalar_or_null,
                    out: out
                );
                InplaceAddr = "aclnnInplaceAddr"(
                    selfRef: inout, vec1: tensor, vec2: tensor, betaOptional: scalar_or_null, alphaOptional: scalar_or_null
                );
                AddrV2 = "aclnnAddrV2"(
                    self_: tensor, vec1: tensor, vec2: tensor, betaOptional: scalar_or_null, alphaOptional: scalar_or_null,
                    out: out
                );
                InplaceAddrV2 = "aclnnInplaceAddrV2"(
                    selfRef: inout, vec1: tensor, vec2: tensor, betaOptional: scalar_or_null, alphaOptional: scalar_or_null
                );
            }

            /// The sums of products of an einsum equation; two equations are supported, `abcd,abced->abce` and `a,b->ab`
            einsum (takes: types("f32@910B,950 f16 i16 i32 i64 uint"), output: Own) {
                Einsum = "aclnnEinsum"(tensors: tensors, equation: str, output: out);
            }

            /// A weight in the layout that is fastest for products of matrices
            trans_matmul_weight (
                takes: types("f16 bf16@910B,950 i8@310P,910B,950 u8@910B,950 f8e4m3fn@910B,950 hif8@910B,950"), output: Own
            ) {
                TransMatmulWeight = "aclnnTransMatmulWeight"(mmWeightRef: inout);
            }
        }
    };
}

matrix_operators!(super::info::family);
