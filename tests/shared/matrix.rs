//! Products of matrices through the safe layer: shapes, views, types and what is refused. What the operators compute is tested
//! with the emulator; expectations here are sums written out as loops.

use aclnn::{DType, Device, Error, Tensor, ops};

use crate::support;

fn numbers(device: &Device, dims: &[usize], dtype: DType) -> Result<Tensor, Error> {
    let count: usize = dims.iter().product();
    let values: Vec<f32> = (0..count).map(|index| (index * 7 % 11) as f32 - 5.0).collect();
    Tensor::from_slice(device, &values, dims)?.cast(dtype)
}

/// The product of two matrices with these strides from row to row and column to column.
fn by_hand(
    [m, k, n]: [usize; 3],
    a: &[f32],
    a_strides: [usize; 2],
    b: &[f32],
    b_strides: [usize; 2],
) -> Vec<f32> {
    let element = |i: usize, j: usize| -> f32 {
        (0..k)
            .map(|at| a[i * a_strides[0] + at * a_strides[1]] * b[at * b_strides[0] + j * b_strides[1]])
            .sum()
    };
    (0..m).flat_map(|i| (0..n).map(move |j| (i, j))).map(|(i, j)| element(i, j)).collect()
}

#[test]
fn matrices_are_multiplied_through_views() -> Result<(), Error> {
    let device = Device::open(0)?;
    let precision = support::precision(&device);
    let matmul = |a: &Tensor, b: &Tensor| ops::matmul(a, b).precision(precision).dtype(DType::F32).run();
    for dtype in [DType::F32, DType::F16, DType::BF16] {
        if dtype == DType::BF16 && !support::has_bf16(&device) {
            continue;
        }
        let (a, b) = (numbers(&device, &[3, 4], dtype)?, numbers(&device, &[4, 5], dtype)?);
        let (x, y): (Vec<f32>, Vec<f32>) = (a.cast(DType::F32)?.to_vec()?, b.cast(DType::F32)?.to_vec()?);
        let expected = by_hand([3, 4, 5], &x, [4, 1], &y, [5, 1]);
        let product = matmul(&a, &b)?;
        assert_eq!((product.dims(), product.to_vec::<f32>()?), (&[3, 5][..], expected));
        let expected = by_hand([4, 3, 4], &x, [1, 4], &x, [4, 1]);
        assert_eq!(matmul(&a.transpose(0, 1)?, &a)?.to_vec::<f32>()?, expected);
        let mut out = Tensor::zeros(&device, [5, 3], DType::F32)?;
        let (left, right) = (b.transpose(0, 1)?, a.transpose(0, 1)?);
        ops::matmul(&left, &right).precision(precision).run_into(&mut out)?;
        assert_eq!(out.to_vec::<f32>()?, by_hand([5, 4, 3], &y, [1, 5], &x, [1, 4]));
    }
    Ok(())
}

#[test]
fn batches_broadcast_and_vectors_lose_their_axis() -> Result<(), Error> {
    let device = Device::open(0)?;
    let tensor = |dims: &[usize]| numbers(&device, dims, DType::F32);
    let precision = support::precision(&device);
    let matmul = |a: &Tensor, b: &Tensor| ops::matmul(a, b).precision(precision).run();
    for (left, right, expected) in [
        (&[4][..], &[4][..], &[][..]),
        (&[4], &[4, 2], &[2]),
        (&[3, 4], &[4], &[3]),
        (&[2, 3, 4], &[4], &[2, 3]),
        (&[4], &[2, 4, 5], &[2, 5]),
        (&[2, 1, 3, 4], &[6, 4, 2], &[2, 6, 3, 2]),
        (&[0, 4], &[4, 2], &[0, 2]),
        (&[3, 0], &[0, 2], &[3, 2]),
    ] {
        let product = matmul(&tensor(left)?, &tensor(right)?)?;
        assert_eq!(product.dims(), expected, "{left:?} {right:?}");
        // Nothing is summed where the common axis is empty.
        assert!(!left.contains(&0) || product.to_vec::<f32>()?.iter().all(|element| *element == 0.0));
    }
    // Vectors beside matrices that lie by rows and by columns.
    let (matrix, x) = (tensor(&[40, 70])?, tensor(&[70])?);
    let (elements, vector) = (matrix.to_vec::<f32>()?, x.to_vec::<f32>()?);
    let by_columns = matrix.transpose(0, 1)?;
    assert_eq!(
        matmul(&matrix, &x)?.to_vec::<f32>()?,
        by_hand([40, 70, 1], &elements, [70, 1], &vector, [1, 1])
    );
    assert_eq!(
        matmul(&x, &by_columns)?.to_vec::<f32>()?,
        by_hand([40, 70, 1], &elements, [70, 1], &vector, [1, 1])
    );
    let y = x.slice(0, ..40)?;
    assert_eq!(
        matmul(&by_columns, &y)?.to_vec::<f32>()?,
        by_hand([70, 40, 1], &elements, [1, 70], &vector, [1, 1])
    );
    assert_eq!(
        matmul(&y, &matrix)?.to_vec::<f32>()?,
        by_hand([70, 40, 1], &elements, [1, 70], &vector, [1, 1])
    );

    let (a, b) = (tensor(&[2, 1, 3, 4])?, tensor(&[6, 4, 2])?);
    let (x, y, all) = (a.to_vec::<f32>()?, b.to_vec::<f32>()?, matmul(&a, &b)?.to_vec::<f32>()?);
    for (number, product) in all.chunks(6).enumerate() {
        let (left, right) = (&x[number / 6 * 12..], &y[number % 6 * 8..]);
        assert_eq!(product, by_hand([3, 4, 2], left, [4, 1], right, [2, 1]), "product {number}");
    }
    Ok(())
}

#[test]
fn products_are_added_to_a_tensor() -> Result<(), Error> {
    let device = Device::open(0)?;
    let (a, b) = (numbers(&device, &[2, 3], DType::F32)?, numbers(&device, &[3, 2], DType::F32)?);
    let precision = support::precision(&device);
    let addmm = |own| ops::addmm(own, &a, &b).precision(precision);
    let product = ops::matmul(&a, &b).precision(precision).run()?.to_vec::<f32>()?;
    let row = Tensor::from_slice(&device, &[1.0f32, f32::NAN], [2])?;
    let sum = addmm(&row).alpha(2).beta(3).run()?.to_vec::<f32>()?;
    assert_eq!([sum[0], sum[2]], [3.0 + 2.0 * product[0], 3.0 + 2.0 * product[2]]);
    assert!(sum[1].is_nan() && sum[3].is_nan());
    // A factor of zero leaves the tensor unread.
    assert_eq!(addmm(&row).beta(0).run()?.to_vec::<f32>()?, product);
    let half =
        ops::addmm(&row.cast(DType::F16)?, &a, &b).precision(precision).beta(0).dtype(DType::F16).run()?;
    assert_eq!(half.dtype(), DType::F16);
    let mut out = Tensor::zeros(&device, [2, 2], DType::F16)?;
    let sum = addmm(&row).beta(0);
    assert_eq!(sum.plan()?.to_string(), "addmm: Addmm f32 → f32 [2, 2]");
    sum.run_into(&mut out)?;
    assert_eq!(out.cast(DType::F32)?.to_vec::<f32>()?, product);
    // The tensor that is added may receive the result.
    let mut own = Tensor::ones(&device, [2, 2], DType::F32)?;
    let added = own.clone();
    addmm(&added).run_into(&mut own)?;
    let expected: Vec<f32> = product.iter().map(|element| element + 1.0).collect();
    assert_eq!(own.to_vec::<f32>()?, expected);
    Ok(())
}

#[test]
fn what_does_not_fit_is_refused_before_a_launch() -> Result<(), Error> {
    let device = Device::open(0)?;
    let tensor = |dims: &[usize]| numbers(&device, dims, support::multiplied(&device));
    let refused = |result: Result<Tensor, Error>, part: &str| {
        let message = result.map(|_| ()).expect_err(part).to_string();
        assert!(message.contains(part), "{message}");
    };
    let (a, b) = (tensor(&[2, 3])?, tensor(&[4, 2])?);
    refused(a.matmul(&b), "rows of self have 3 elements and columns of other have 4");
    refused(a.matmul(&tensor(&[])?), "other has 0 axes");
    refused(tensor(&[2, 2, 3])?.matmul(&tensor(&[3, 3, 2])?), "broadcast");
    refused(a.matmul(&tensor(&[3, 2])?.cast(DType::F64)?), "f64");
    refused(a.dot(&a), "self has 2 axes");
    refused(ops::addmm(&tensor(&[3, 3])?, &a, &tensor(&[3, 2])?).run(), "broadcast");
    refused(ops::addmm(&a, &a, &b).run(), "no product");
    let whole = a.cast(DType::I32)?;
    let vector = tensor(&[3])?.cast(DType::I32)?;
    refused(ops::addmv(&tensor(&[2])?.cast(DType::I32)?, &whole, &vector).alpha(0.5).run(), "0.5");
    let mut own = tensor(&[2, 2])?;
    let (factor, before) = (own.clone(), own.to_bytes()?);
    let error = ops::matmul(&factor, &factor).run_into(&mut own).expect_err("it is read while it is written");
    assert!(error.to_string().contains("shares memory"), "{error}");
    assert_eq!(own.to_bytes()?, before);
    Ok(())
}

#[test]
fn tokens_of_experts_are_multiplied_in_groups_and_quantised_weights_by_their_scales() -> Result<(), Error> {
    let device = Device::open(0)?;
    let multiplied = support::multiplied(&device);
    let (x, experts) = (numbers(&device, &[5, 3], multiplied)?, numbers(&device, &[2, 3, 2], multiplied)?);
    let floats = |tensor: &Tensor| tensor.cast(DType::F32)?.to_vec::<f32>();
    let ends = Tensor::from_slice(&device, &[2i64, 4], [2])?;
    let (rows, weights) = (floats(&x)?, floats(&experts)?);
    let mut expected = by_hand([2, 3, 2], &rows, [3, 1], &weights, [2, 1]);
    expected.extend(by_hand([2, 3, 2], &rows[6..], [3, 1], &weights[6..], [2, 1]));
    // The row behind the last group.
    expected.extend([0.0; 2]);
    assert_eq!(floats(&ops::grouped_matmul(&x, &experts, &ends).run()?)?, expected);
    let columns = x.transpose(0, 1)?.contiguous()?;
    let turned = columns.transpose(0, 1)?;
    assert_eq!(floats(&ops::grouped_matmul(&turned, &experts, &ends).run()?)?, expected);

    let half = numbers(&device, &[2, 3], DType::F16)?;
    let weight = numbers(&device, &[3, 4], DType::F32)?.cast(DType::I8)?;
    let (scale, bias) = (Tensor::full(&device, [4], 0.5, DType::F16)?, numbers(&device, &[4], DType::F16)?);
    let (left, right) = (half.cast(DType::F32)?, weight.cast(DType::F32)?);
    let product = ops::matmul(&left, &right).precision(support::precision(&device)).run()?;
    let expected = product.mul(0.5)?.add(&bias)?.cast(DType::F32)?.to_vec::<f32>()?;
    let turned = weight.transpose(0, 1)?.contiguous()?;
    for weight in [&weight, &turned.transpose(0, 1)?] {
        let product = ops::weight_quant_matmul(&half, weight, &scale).bias(&bias).run()?;
        assert_eq!(product.cast(DType::F32)?.to_vec::<f32>()?, expected);
    }

    let refused = |result: Result<Tensor, Error>, part: &str| {
        let message = result.map(|_| ()).expect_err(part).to_string();
        assert!(message.contains(part), "{message}");
    };
    refused(ops::grouped_matmul(&x, &experts, &ends.cast(DType::I32)?).run(), "i64");
    refused(
        ops::grouped_matmul(&x, &experts, &ends.slice(0, ..1)?).run(),
        "weight has 2 matrices and ends 1",
    );
    refused(ops::weight_quant_matmul(&half, &turned, &scale).run(), "as many columns");
    let x = x.cast(DType::F32)?;
    refused(ops::weight_quant_matmul(&x, &weight, &scale).run(), "f32");
    refused(ops::quant_matmul(&x, &x, &scale).run(), "f32");
    Ok(())
}
