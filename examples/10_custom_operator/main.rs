//! An operator that this crate does not know, from a library of your own.
//!
//! `blend.c` beside this file is the library. CANN's packages of custom operators are found by the same variable:
//!
//! ```sh
//! cargo xtask toolkit --out toolkit                     # or a real CANN
//! mkdir -p custom/op_api/lib
//! gcc -shared -fPIC examples/10_custom_operator/blend.c -I toolkit/include -L toolkit/lib64 -lnnopbase -lopapi \
//!     -o custom/op_api/lib/libcust_opapi.so
//! ASCEND_CUSTOM_OPP_PATH=$PWD/custom ACLNN_BACKEND=$PWD/toolkit cargo run --example 10_custom_operator
//! ```

use aclnn::{DType, Device, Stream, Tensor};

aclnn::operator! {
    // The parameters are those of blend.c. It passes its tensors to Add, which checks them and touches nothing else.
    unsafe extern "aclnn" {
        /// `out = left + weight · right`
        fn blend_into = "aclnnBlend"(left: tensor, right: tensor, weight: f64, out: out);
    }
}

/// The same with a new tensor for the result.
fn blend(left: &Tensor, right: &Tensor, weight: f64) -> aclnn::Result<Tensor> {
    let mut out = Tensor::zeros(left.stream(), left.shape().clone(), left.dtype())?;
    blend_into(left.stream(), left, right, weight, &mut out)?;
    Ok(out)
}

fn main() -> aclnn::Result<()> {
    let device = Device::open(0)?;
    let left = Tensor::from_slice(&device, &[1.0f32, 2.0, 3.0, 4.0], [2, 2])?;
    let right = Tensor::from_slice(&device, &[10.0f32, 20.0, 30.0, 40.0], [2, 2])?;
    println!("blend        {:?}", blend(&left, &right, 0.5)?.to_vec::<f32>()?);

    // Views, other streams, memory that goes back: all as with any operator.
    let stream = Stream::new(&device)?;
    let mut column = Tensor::zeros(&stream, [2], DType::F32)?;
    blend_into(&stream, &left.select(1, 0)?, &right.select(1, 1)?, -1.0, &mut column)?;
    println!("one column   {:?}", column.to_vec::<f32>()?);

    // What the operator refuses is told with its operands.
    let short = Tensor::zeros(&device, [3], DType::F32)?;
    if let Err(error) = blend(&left, &short, 1.0) {
        println!("refused      {error}");
    }
    Ok(())
}

// Output:
// blend        [6.0, 12.0, 18.0, 24.0]
// one column   [-19.0, -37.0]
// refused      aclnnBlend(left f32[2, 2], right f32[3], out f32[2, 2]): aclnnBlendGetWorkspaceSize returned 161002 ACLNN_ERR_PARAM_INVALID: an operand or attribute is not valid for the operator; the library says: …
