//! Convolutions, poolings and resized images through the safe layer: views, shapes, gradients and what is refused. What the
//! operators compute is tested with the emulator; expectations here are sums written out as loops, and the identity that a
//! gradient is: the product of a result with a tensor is that of the operand with the gradient.

use aclnn::ops::{self, Interpolation, SampleMode, SamplePadding};
use aclnn::product::Product;
use aclnn::{DType, Device, Error, Tensor};

use crate::support;

/// Whole numbers, so small that every sum here is exact.
fn numbers(device: &Device, dims: &[usize], seed: usize) -> Result<Tensor, Error> {
    let count: usize = dims.iter().product();
    let values: Vec<f32> = (0..count).map(|index| ((index * 7 + seed * 3) % 11) as f32 - 5.0).collect();
    Tensor::from_slice(device, &values, dims)
}

/// The sum of the products of the elements of two tensors of one shape.
fn inner(a: &Tensor, b: &Tensor) -> Result<f64, Error> {
    assert_eq!(a.dims(), b.dims());
    let (a, b) = (a.to_vec::<f32>()?, b.to_vec::<f32>()?);
    Ok(a.iter().zip(&b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum())
}

#[test]
fn images_are_convolved_through_views() -> Result<(), Error> {
    let device = Device::open(0)?;
    // Rows, columns, channels: the channels are the last axis of what lies in memory.
    let (image, weight) = (numbers(&device, &[1, 5, 6, 2], 0)?, numbers(&device, &[3, 2, 2, 3], 1)?);
    let view = image.permute(&[0, 3, 1, 2])?;
    let (pixels, weights) = (image.to_vec::<f32>()?, weight.to_vec::<f32>()?);
    let precision = support::precision(&device);
    let result = ops::conv2d(&view, &weight).stride([2, 1]).padding([1, 0]).precision(precision).run()?;
    assert_eq!(result.dims(), [1, 3, 3, 4]);
    let mut expected = Vec::new();
    for (out, row, column) in (0usize..3).flat_map(|out| (0..12usize).map(move |at| (out, at / 4, at % 4))) {
        let mut sum = 0.0;
        for (channel, down, across) in
            (0..2).flat_map(|channel| (0..6).map(move |at| (channel, at / 3, at % 3)))
        {
            let Some(y) = (2 * row + down).checked_sub(1).filter(|y| *y < 5) else { continue };
            let weight = weights[((out * 2 + channel) * 2 + down) * 3 + across];
            sum += pixels[(y * 6 + column + across) * 2 + channel] * weight;
        }
        expected.push(sum);
    }
    assert_eq!(result.to_vec::<f32>()?, expected);
    let halves = (view.cast(DType::F16)?, weight.cast(DType::F16)?);
    let half = ops::conv2d(&halves.0, &halves.1).dtype(DType::F32);
    assert_eq!(half.stride([2, 1]).padding([1, 0]).run()?.to_vec::<f32>()?, expected);
    Ok(())
}

#[test]
fn gradients_of_convolutions_are_their_transposes() -> Result<(), Error> {
    let device = Device::open(0)?;
    let (image, weight) = (numbers(&device, &[2, 4, 6, 7], 0)?, numbers(&device, &[6, 2, 3, 2], 1)?);
    let precision = support::precision(&device);
    let plain = ops::conv2d(&image, &weight).precision(precision);
    let plain = plain.groups(2).stride([1, 2]).padding([1, 0]).dilation([1, 2]);
    let result = plain.run()?;
    let grad = numbers(&device, result.dims(), 2)?;
    let gradients = plain.backward(&grad)?;
    let product = inner(&result, &grad)?;
    assert_eq!(inner(&image, &gradients.input)?, product);
    assert_eq!(inner(&weight, &gradients.weight)?, product);
    let mut sums = [0.0; 6];
    grad.to_vec::<f32>()?.chunks(6 * 3).enumerate().for_each(|(plane, elements)| {
        sums[plane % 6] += elements.iter().sum::<f32>();
    });
    assert_eq!(gradients.bias.to_vec::<f32>()?, sums);

    let (image, weight) = (numbers(&device, &[2, 4, 3, 4], 0)?, numbers(&device, &[4, 3, 3, 2], 1)?);
    let transposed = ops::conv_transpose2d(&image, &weight)
        .groups(2)
        .stride([2, 1])
        .padding([1, 0])
        .output_padding([1, 0])
        .precision(precision);
    let result = transposed.run()?;
    assert_eq!(result.dims(), [2, 6, 6, 5]);
    let grad = numbers(&device, result.dims(), 2)?;
    let gradients = transposed.backward(&grad)?;
    let product = inner(&result, &grad)?;
    assert_eq!(inner(&image, &gradients.input)?, product);
    assert_eq!(inner(&weight, &gradients.weight)?, product);

    let volume = numbers(&device, &[1, 2, 3, 4, 5], 0)?;
    let (weight, line) = (numbers(&device, &[3, 2, 2, 2, 2], 1)?, numbers(&device, &[2, 3, 9], 1)?);
    assert_eq!(ops::conv3d(&volume, &weight).precision(precision).run()?.dims(), [1, 3, 2, 3, 4]);
    let weight = numbers(&device, &[2, 3, 2, 2, 2], 1)?;
    let transposed = ops::conv_transpose3d(&volume, &weight).precision(precision);
    assert_eq!(transposed.run()?.dims(), [1, 3, 4, 5, 6]);
    let weight = numbers(&device, &[4, 3, 3], 1)?;
    let padded = ops::conv1d(&line, &weight).padding([1]).precision(precision);
    assert_eq!(padded.run()?.dims(), [2, 4, 9]);
    let empty = ops::conv1d(&line.slice(0, ..0)?, &weight).precision(precision).run()?;
    assert_eq!(empty.dims(), [0, 4, 7]);
    Ok(())
}

#[test]
fn gradients_of_poolings_and_of_resized_images_are_their_transposes() -> Result<(), Error> {
    let device = Device::open(0)?;
    let image = numbers(&device, &[2, 3, 6, 8], 0)?;
    let average = ops::avg_pool2d(&image, [2, 4]).padding([1, 0]).stride([2, 2]);
    let result = average.run()?;
    assert_eq!(result.dims(), [2, 3, 4, 3]);
    let grad = numbers(&device, result.dims(), 1)?;
    assert_eq!(inner(&image, &average.backward(&grad)?)?, inner(&result, &grad)?);
    let result = ops::adaptive_avg_pool2d(&image, [3, 4])?;
    let grad = numbers(&device, result.dims(), 1)?;
    assert_eq!(inner(&image, &ops::adaptive_avg_pool2d_backward(&grad, &image)?)?, inner(&result, &grad)?);

    if !support::skips_on(&device, Product::Ascend310P, "it has no maxima of windows with their indices") {
        let greatest = ops::max_pool2d(&image, [3, 3]).padding([1, 1]).stride([2, 2]).ceil_mode();
        let (values, indices) = greatest.run_with_indices()?;
        assert_eq!(values.dims(), [2, 3, 4, 5]);
        assert_eq!(greatest.run()?.to_vec::<f32>()?, values.to_vec::<f32>()?);
        let grad = numbers(&device, values.dims(), 1)?;
        assert_eq!(inner(&image, &greatest.backward(&grad, &indices)?)?, inner(&values, &grad)?);
        // The library's gradient of the greatest elements takes f32 alone here.
        let half = image.cast(DType::F16)?;
        let back = ops::max_pool2d(&half, [3, 3]).padding([1, 1]).stride([2, 2]).ceil_mode();
        let back = back.backward(&grad.cast(DType::F16)?, &indices)?;
        assert_eq!(
            (back.dtype(), inner(&image, &back.cast(DType::F32)?)?),
            (DType::F16, inner(&values, &grad)?)
        );
    }
    // Of halves every product has the greatest alone: here by loops.
    let greatest =
        ops::max_pool2d(&image.cast(DType::F16)?, [3, 3]).padding([1, 1]).stride([2, 2]).ceil_mode().run()?;
    assert_eq!(greatest.dims(), [2, 3, 4, 5]);
    let pixels = image.to_vec::<f32>()?;
    for (place, greatest) in greatest.cast(DType::F32)?.to_vec::<f32>()?.into_iter().enumerate() {
        let (plane, row, column) = (place / 20, place / 5 % 4, place % 5);
        let window = |at: usize, size: usize| (2 * at).saturating_sub(1)..(2 * at + 2).min(size);
        let window = window(row, 6).flat_map(|y| window(column, 8).map(move |x| (plane * 6 + y) * 8 + x));
        let expected = window.map(|at| pixels[at]).fold(f32::NEG_INFINITY, f32::max);
        assert_eq!(greatest, expected, "place {place}");
    }
    let (values, indices) = ops::adaptive_max_pool2d(&image, [2, 3])?;
    let grad = numbers(&device, values.dims(), 1)?;
    let back = ops::adaptive_max_pool2d_backward(&grad, &image, &indices)?;
    assert_eq!(inner(&image, &back)?, inner(&values, &grad)?);

    // Numbers of elements of a larger image, no two of them the same.
    let places: Vec<i32> = (0..288).map(|index| index % 48 * 3).collect();
    let places = Tensor::from_slice(&device, &places, [2, 3, 6, 8])?;
    let result = ops::max_unpool2d(&image, &places, [9, 16])?;
    let grad = numbers(&device, &[2, 3, 9, 16], 1)?;
    let back = ops::max_unpool2d_backward(&grad, &image, &places)?;
    assert_eq!(inner(&image, &back)?, inner(&result, &grad)?);
    assert_eq!(inner(&result, &result)?, inner(&image, &image)?);

    let align_corners = false;
    let (linear, cubic) = (Interpolation::Linear { align_corners }, Interpolation::Cubic { align_corners });
    let windows =
        [Interpolation::LinearWindow { align_corners }, Interpolation::CubicWindow { align_corners }];
    let others = [linear, cubic].into_iter().chain(windows);
    for mode in [Interpolation::Nearest, Interpolation::NearestExact].into_iter().chain(others) {
        let result = ops::interpolate(&image, &[12, 4], mode)?;
        let grad = numbers(&device, result.dims(), 1)?;
        let back = ops::interpolate_backward(&grad, image.dims(), mode)?;
        let (product, transposed) = (inner(&result, &grad)?, inner(&image, &back)?);
        // Weights of powers of two, but for those of polynomials and windows, whose products are rounded.
        let is_exact =
            mode == linear || [Interpolation::Nearest, Interpolation::NearestExact].contains(&mode);
        let error = if is_exact { 0.0 } else { 1e-2 };
        assert!((product - transposed).abs() <= error, "{mode:?}: {product} {transposed}");
    }
    // Places on the image and beyond, between elements.
    let places: Vec<f32> = (0..48).map(|index| (index * 5 % 11) as f32 / 4.0 - 1.25).collect();
    let grid = Tensor::from_slice(&device, &places, [2, 3, 4, 2])?;
    for padding in [SamplePadding::Zeros, SamplePadding::Border, SamplePadding::Reflection] {
        let sample = ops::grid_sample(&image, &grid).padding(padding);
        let result = sample.run()?;
        assert_eq!(result.dims(), [2, 3, 3, 4]);
        let grad = numbers(&device, result.dims(), 1)?;
        let (back, to_grid) = sample.backward(&grad)?;
        assert_eq!(inner(&image, &back)?, inner(&result, &grad)?, "{padding:?}");
        // Between elements a result is linear along each coordinate: a step there shows the gradient.
        let moved: Vec<f32> = places
            .iter()
            .enumerate()
            .map(|(at, place)| place + if at == 6 { 1.0 / 64.0 } else { 0.0 })
            .collect();
        let moved = Tensor::from_slice(&device, &moved, [2, 3, 4, 2])?;
        let after = ops::grid_sample(&image, &moved).padding(padding).run()?;
        let grown = (inner(&after, &grad)? - inner(&result, &grad)?) * 64.0;
        assert_eq!(f64::from(to_grid.to_vec::<f32>()?[6]), grown, "{padding:?}");
    }
    let columns = ops::im2col(&image, [2, 3]).padding([1, 1]).stride([2, 1]).run()?;
    let grad = numbers(&device, columns.dims(), 1)?;
    let back = ops::col2im(&grad, [6, 8], [2, 3]).padding([1, 1]).stride([2, 1]).run()?;
    assert_eq!(inner(&image, &back)?, inner(&columns, &grad)?);
    Ok(())
}

#[test]
fn what_does_not_fit_an_image_is_refused_before_a_launch() -> Result<(), Error> {
    let device = Device::open(0)?;
    let tensor = |dims: &[usize]| numbers(&device, dims, 0);
    fn refused<T>(result: Result<T, Error>, part: &str) {
        let message = result.map(|_| ()).expect_err(part).to_string();
        assert!(message.contains(part), "{message}");
    }
    let (image, weight) = (tensor(&[1, 4, 5, 6])?, tensor(&[2, 4, 3, 3])?);
    let precision = support::precision(&device);
    let conv2d = || ops::conv2d(&image, &weight).precision(precision);
    refused(ops::conv2d(&tensor(&[4, 5, 6])?, &weight).precision(precision).run(), "axes");
    refused(ops::conv1d(&image, &weight).precision(precision).run(), "must have 3 axes");
    refused(conv2d().groups(2).run(), "the weight is for 8 in 2 groups");
    refused(conv2d().groups(0).run(), "0 groups");
    refused(conv2d().dilation([3, 1]).run(), "has no place on the 5 elements of axis 2");
    refused(conv2d().stride([0, 1]).run(), "stride 0");
    refused(conv2d().output_padding([1, 0]).run(), "of transposed convolutions alone");
    refused(conv2d().bias(&tensor(&[3])?).run(), "there are 2 channels");
    refused(ops::conv2d(&image.cast(DType::F64)?, &weight).run(), "f64");
    refused(conv2d().backward(&image), "the result has shape [1, 2, 3, 4]");
    refused(ops::avg_pool2d(&image, [2, 2]).padding([2, 0]).run(), "half of the window");
    // An Ascend310P takes the greatest of halves alone.
    let given = image.cast(support::multiplied(&device))?;
    refused(ops::max_pool2d(&given, [6, 2]).run(), "has no place on an axis of 5");
    refused(ops::max_pool2d(&given.select(0, 0)?.select(0, 0)?, [2, 2]).run(), "an axis for channels");
    if !support::skips_on(&device, Product::Ascend310P, "it has no maxima of windows with their indices") {
        let pool = ops::max_pool2d(&image, [2, 2]);
        refused(pool.backward(&tensor(&[1, 4, 2, 3])?, &tensor(&[1, 4, 2, 3])?), "indices must be i32");
    }
    refused(ops::adaptive_avg_pool2d(&image, [0, 1]), "no axis of an image may be empty");
    refused(ops::max_unpool2d(&image, &image, [9, 9]), "indices must be i32[1, 4, 5, 6] or i64[1, 4, 5, 6]");
    let places = image.cast(DType::I64)?;
    refused(ops::max_unpool2d(&image, &places, [9, 0]), "none of them empty");
    refused(
        ops::max_unpool2d_backward(&tensor(&[1, 3, 9, 9])?, &image, &places),
        "grad must be f32[1, 4, 9, 9]",
    );
    let grid = tensor(&[1, 2, 2, 2])?;
    refused(ops::grid_sample(&image, &tensor(&[1, 2, 2, 3])?).run(), "a coordinate for each axis");
    refused(ops::grid_sample(&image, &grid.cast(DType::F16)?).run(), "must have one type");
    refused(ops::grid_sample(&image, &grid).backward(&image), "grad must be f32[1, 4, 2, 2]");
    let volume = ops::grid_sample(&tensor(&[1, 1, 2, 2, 2])?, &tensor(&[1, 2, 2, 2, 3])?)
        .mode(SampleMode::Cubic)
        .run();
    refused(volume, "two axes for cubic");
    refused(ops::affine_grid(&tensor(&[1, 2, 2])?, &[3, 3], false), "2 rows and 3 columns");
    refused(ops::affine_grid(&tensor(&[1, 2, 3])?, &[3, 0], false), "none of them empty");
    refused(ops::interpolate(&image, &[4], Interpolation::Nearest), "do not become");
    refused(
        ops::interpolate(&tensor(&[1, 2, 3])?, &[4], Interpolation::Cubic { align_corners: true }),
        "cubic",
    );
    refused(ops::col2im(&tensor(&[4, 5])?, [3, 3], [2, 2]).run(), "4 positions");
    Ok(())
}
