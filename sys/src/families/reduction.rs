//! Elements along axes combined to one: sums, extremes, means, norms.

/// Calls `$callback!` with the reductions.
#[macro_export]
macro_rules! reduction_operators {
    ($callback:path) => {
        $callback! {
            reduction, AlongAxes:

            /// The sum of the elements, computed in the type of the result
            sum (
                takes: types("float f64 int bool complex"), output: Any(types("float f64 int bool complex")),
                cores: types("f32 f16 bf16@910B,950 i32@910,910B,950 i64@310P,910B,950 bool@950")
            ) {
                ReduceSum = "aclnnReduceSum"(self_: tensor, dims: ints, keepDims: bool, dtype: dtype, out: out);
            }

            /// The sum of the elements that are not NaN
            nansum (
                takes: types("float@910B,950 int@910B bool@910B"), output: CastableFromOwn(types("float@910B,950 int@910B bool@910B")),
                cores: types("f32 f16 bf16 i32 i64 bool@950")
            ) {
                ReduceNansum = "aclnnReduceNansum"(self_: tensor, dim: ints, keepDim: bool, dtype: dtype, out: out);
            }

            /// The mean of the elements, computed in a type that the caller chooses
            mean (
                takes: types("float f64 int complex"), output: Any(types("float f64 int complex")), cores: types("float")
            ) {
                Mean = "aclnnMean"(self_: tensor, dim: ints, keepDim: bool, dtype: dtype, out: out);
            }

            /// The mean of the elements, in their type
            mean_v2 (takes: types("float f64 int complex"), output: Own, cores: types("float")) {
                MeanV2 = "aclnnMeanV2"(self_: tensor, dim: ints, keepDim: bool, noopWithEmptyAxes: bool, out: out);
            }

            /// The greatest of all elements; NaN if one is NaN
            max (
                takes: types("float f64 int bool"), output: Any(types("float f64 int bool")),
                cores: types("float u8 i32 i64@910B,950 i8@910B,950")
            ) {
                Max = "aclnnMax"(self_: tensor, out: out);
            }

            /// The smallest of all elements; NaN if one is NaN
            min (
                takes: types("float f64 int bool"), output: Any(types("float f64 int bool")),
                cores: types("float u8 i32 i64@910B,950 i8@910B,950")
            ) {
                Min = "aclnnMin"(self_: tensor, out: out);
            }

            /// The greatest element; NaN if one is NaN
            amax (takes: types("float f64 int bool"), output: Own, cores: types("float u8 i32 i64@910B,950 i8@910B,950")) {
                Amax = "aclnnAmax"(self_: tensor, dim: ints, keepDim: bool, out: out);
                MaxV2 = "aclnnMaxV2"(self_: tensor, dims: ints, keepDims: bool, noopWithEmptyDims: bool, out: out);
            }

            /// The smallest element; NaN if one is NaN
            amin (takes: types("float f64 int bool"), output: Own, cores: types("float u8 i32 i64@910B,950 i8@910B,950")) {
                Amin = "aclnnAmin"(self_: tensor, dim: ints, keepDim: bool, out: out);
            }

            /// The smallest and the greatest element; NaN if one is NaN
            aminmax (takes: types("float f64 int bool"), output: Own, cores: types("float u8 i32 i64@910B,950 i8@910B,950")) {
                Aminmax = "aclnnAminmax"(self_: tensor, dim: ints, keepDim: bool, minOut: out, maxOut: out);
                AminmaxAll = "aclnnAminmaxAll"(self_: tensor, minOut: out, maxOut: out);
                AminmaxDim = "aclnnAminmaxDim"(self_: tensor, dim: i64, keepDim: bool, minOut: out, maxOut: out);
            }

            /// The position of the greatest element, the first one if there are several; NaN is greater than all numbers
            argmax (
                takes: types("float f64 int u16@950"), output: Any(types("float f64 int uint bool complex")),
                cores: types("float i64@910,910B,950 i32@910B,950")
            ) {
                ArgMax = "aclnnArgMax"(self_: tensor, dim: i64, keepdim: bool, out: out);
            }

            /// The position of the smallest element, the first one if there are several; NaN is smaller than all numbers
            argmin (takes: types("float f64 int"), output: Any(types("i32 i64")), cores: types("float i64@910,910B,950")) {
                ArgMin = "aclnnArgMin"(self_: tensor, dim: i64, keepdim: bool, out: out);
            }

            /// The greatest element and its position, the first one if there are several
            max_dim (takes: types("float i64 bool i32@950"), output: Own, cores: types("float i32 i64 bool")) {
                MaxDim = "aclnnMaxDim"(self_: tensor, dim: i64, keepdim: bool, out: out, indices: out);
            }

            /// The smallest element and its position, the first one if there are several
            min_dim (takes: types("float i64 bool i32@950"), output: Own, cores: types("float i32 i64 bool")) {
                MinDim = "aclnnMinDim"(self_: tensor, dim: i64, keepdim: bool, out: out, indices: out);
            }

            /// The product of the elements, computed in the type of the result
            prod (
                takes: types("float f64 int bool complex"), output: Any(types("float f64 int bool complex")),
                cores: types("float i8 u8 i64 i32@910B,950 bool@950")
            ) {
                Prod = "aclnnProd"(self_: tensor, dtype: dtype, out: out);
                ProdDim = "aclnnProdDim"(self_: tensor, dim: i64, keepDim: bool, dtype: dtype, out: out);
            }

            /// True if every element is true; every number but zero is true
            all (takes: types("float f64 int bool"), output: Any(types("bool u8")), cores: types("float bool")) {
                All = "aclnnAll"(self_: tensor, dim: ints, keepdim: bool, out: out);
            }

            /// True if at least one element is true; every number but zero is true
            any (takes: types("float f64 int bool"), output: Any(types("bool u8")), cores: types("float bool")) {
                Any = "aclnnAny"(self_: tensor, dim: ints, keepdim: bool, out: out);
            }

            /// The variance of the elements
            var (takes: types("float"), output: Any(types("float")), cores: types("float")) {
                Var = "aclnnVar"(self_: tensor, dim: ints_or_null, unbiased: bool, keepdim: bool, out: out);
                VarCorrection = "aclnnVarCorrection"(self_: tensor, dim: ints_or_null, correction: i64, keepdim: bool, out: out);
            }

            /// The variance and the mean of the elements
            var_mean (
                takes: types("f32 f16 bf16@950"), output: Any(types("f32 f16 bf16@950")), cores: types("float")
            ) {
                VarMean = "aclnnVarMean"(self_: tensor, dim: ints_or_null, correction: i64, keepdim: bool, varOut: out, meanOut: out);
            }

            /// The standard deviation of the elements
            std (takes: types("float"), output: Any(types("float")), cores: types("float")) {
                Std = "aclnnStd"(self_: tensor, dim: ints_or_null, correction: i64, keepdim: bool, out: out);
            }

            /// The standard deviation and the mean of the elements
            std_mean (takes: types("float"), output: Any(types("float")), cores: types("float")) {
                StdMeanCorrection = "aclnnStdMeanCorrection"(self_: tensor, dim: ints_or_null, correction: i64, keepdim: bool, stdOut: out, meanOut: out);
            }

            /// The norm `(Σ|x|ᵖ)^(1/p)`; for ±∞ the greatest or smallest absolute value, for 0 the number of elements that are not zero
            norm (
                takes: types("float bf16@910,310P f64@910,310P,910B int@910,310P,910B uint@910,310P,910B bool@910,310P,910B complex@910,310P,910B"),
                output: Any(types("float bf16@910,310P f64@910,310P,910B int@910,310P,910B uint@910,310P,910B bool@910,310P,910B complex@910,310P,910B")),
                cores: types("float")
            ) {
                Norm = "aclnnNorm"(self_: tensor, pScalar: scalar, dim: ints, keepdim: bool, out: out);
            }

            /// The norm of the elements, computed in a type that the caller chooses
            vector_norm (
                takes: types("float bf16@910,310P f64@910,310P,910B int@910,310P,910B uint@910,310P,910B bool@910,310P,910B"),
                output: Any(types("float bf16@910,310P f64@910,310P,910B int@910,310P,910B uint@910,310P,910B bool@910,310P,910B")),
                cores: types("float")
            ) {
                LinalgVectorNorm = "aclnnLinalgVectorNorm"(self_: tensor, ord: scalar, dims: ints, keepDims: bool, dtype: dtype, out: out);
            }

            /// The logarithm of the sum of the exponentials, `log(Σeˣ)`
            logsumexp (takes: types("float int bool"), output: CastableTo(types("float")), cores: types("float int bool")) {
                LogSumExp = "aclnnLogSumExp"(self_: tensor, dim: ints, keepDim: bool, out: out);
            }

            /// The logarithm of the sum of the elements
            log_sum (takes: types("f32 f16 bf16@950"), output: Any(types("f32 f16 bf16@950")), cores: types("float")) {
                ReduceLogSum = "aclnnReduceLogSum"(data: tensor, axes: ints, keepDims: bool, noopWithEmptyAxes: bool, reduce: out);
            }
        }
    };
}

reduction_operators!(super::info::family);
