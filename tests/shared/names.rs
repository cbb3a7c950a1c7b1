//! Methods under the names that NumPy, PyTorch and candle have for them. Expected values are worked out by hand, or by loops on
//! the host.

use aclnn::ops::Precision;
use aclnn::product::Product;
use aclnn::{DType, Device, Error, Generator, Scalar, Stream, Tensor, f16, ops};

use crate::support;

type Outcome = Result<(), Error>;

fn reason(result: Result<Tensor, Error>) -> String {
    result.err().map_or_else(|| "no error".to_owned(), |error| error.to_string())
}

#[test]
fn axes_are_exchanged_moved_and_merged() -> Outcome {
    let device = Device::open(0)?;
    let cube = Tensor::arange(&device, 0, 24, 1, DType::I32)?.reshape([2, 3, 4])?;
    assert_eq!(cube.t()?.dims(), [2, 4, 3]);
    assert_eq!(cube.t()?.select(0, 0)?.to_vec2::<i32>()?, [[0, 4, 8], [1, 5, 9], [2, 6, 10], [3, 7, 11]]);
    let line = cube.flatten_all()?;
    assert_eq!((line.t()?.dims(), line.select(0, 0)?.t()?.rank()), (&[24][..], 0));
    assert_eq!(cube.swapaxes(0, -1)?.dims(), [4, 3, 2]);
    for (from, to, dims) in [(0, 2, [3, 4, 2]), (2, 0, [4, 2, 3]), (-1, 1, [2, 4, 3]), (1, 1, [2, 3, 4])] {
        assert_eq!(cube.movedim(from, to)?.dims(), dims, "{from} to {to}");
    }
    assert_eq!(
        reason(cube.movedim(3, 0)),
        "movedim(self i32[2, 3, 4]): axis 3 does not exist: the tensor has 3 axes"
    );
    for (first, last, dims) in [(0, 1, &[6, 4][..]), (1, 2, &[2, 12]), (0, -1, &[24]), (1, 1, &[2, 3, 4])] {
        let merged = cube.flatten(first, last)?;
        assert_eq!(
            (merged.dims(), merged.to_vec::<i32>()?),
            (dims, cube.to_vec::<i32>()?),
            "{first} to {last}"
        );
    }
    assert_eq!(line.select(0, 5)?.flatten(0, -1)?.to_vec::<i32>()?, [5]);
    assert_eq!(reason(cube.flatten(2, 1)), "flatten(self i32[2, 3, 4]): axis 1 lies before axis 2");
    assert!(reason(cube.flatten(0, 3)).contains("axis 3 does not exist"));
    assert!(reason(cube.t()?.flatten(1, 2)).contains("make it contiguous first"));
    // Axes that are not merged may lie anywhere.
    assert_eq!(cube.movedim(2, 0)?.flatten(1, 2)?.dims(), [4, 6]);
    Ok(())
}

#[test]
fn parts_of_an_axis_have_a_start_and_a_length() -> Outcome {
    let device = Device::open(0)?;
    let line = Tensor::arange(&device, 0, 5, 1, DType::I32)?;
    for (start, length, elements) in
        [(0, 0, &[][..]), (0, 5, &[0, 1, 2, 3, 4]), (-5, 2, &[0, 1]), (-1, 1, &[4]), (5, 0, &[])]
    {
        assert_eq!(line.narrow(0, start, length)?.to_vec::<i32>()?, elements, "{length} from {start}");
    }
    for (start, length) in [(0, 6), (-1, 2), (-6, 1), (6, 0), (-7, 3), (0, usize::MAX)] {
        assert!(matches!(line.narrow(0, start, length), Err(Error::View { .. })), "{length} from {start}");
    }
    assert!(matches!(line.narrow(1, 0, 1), Err(Error::View { .. })));
    Ok(())
}

#[test]
fn sizes_and_elements_of_some_axes() -> Outcome {
    let device = Device::open(0)?;
    let grid = Tensor::arange(&device, 0, 6, 1, DType::I32)?.reshape([2, 3])?;
    assert_eq!((grid.dims2()?, grid.select(0, 0)?.dims1()?), ((2, 3), 3));
    let error = grid.dims4().unwrap_err().to_string();
    assert_eq!(error, "dims4(self i32[2, 3]): it has 2 axes, and sizes of 4 axes were asked for");
    assert_eq!(grid.t()?.to_vec2::<i32>()?, [[0, 3], [1, 4], [2, 5]]);
    assert_eq!(grid.narrow(1, 0, 0)?.to_vec2::<i32>()?, [Vec::<i32>::new(), Vec::new()]);
    assert_eq!(grid.unsqueeze(1)?.to_vec3::<i32>()?, [[[0, 1, 2]], [[3, 4, 5]]]);
    assert!(grid.to_vec3::<i32>().is_err() && grid.to_vec2::<f32>().is_err());
    Ok(())
}

/// As NumPy's `meshgrid` gives them with `indexing="ij"` and `"xy"`.
#[test]
fn coordinates_of_a_grid() -> Outcome {
    let device = Device::open(0)?;
    let (x, y) = (Tensor::from_slice(&device, &[1, 2, 3], 3)?, Tensor::from_slice(&device, &[7, 8], 2)?);
    let grids = |xy| -> Result<Vec<Vec<Vec<i32>>>, Error> {
        Tensor::meshgrid(&[&x, &y], xy)?.iter().map(Tensor::to_vec2).collect()
    };
    assert_eq!(grids(false)?, [[[1, 1], [2, 2], [3, 3]], [[7, 8], [7, 8], [7, 8]]]);
    assert_eq!(grids(true)?, [[[1, 2, 3], [1, 2, 3]], [[7, 7, 7], [8, 8, 8]]]);
    let three = Tensor::meshgrid(&[&x, &y, &x], true)?;
    assert_eq!(three.iter().map(Tensor::dims).collect::<Vec<_>>(), [[2, 3, 3]; 3]);
    assert!(Tensor::meshgrid(&[], false)?.is_empty());
    assert_eq!(Tensor::meshgrid(&[&x], true)?[0].dims(), [3]);
    let grid = x.unsqueeze(0)?;
    let error = Tensor::meshgrid(&[&x, &grid], false).unwrap_err().to_string();
    assert_eq!(error, "meshgrid(self i32[1, 3]): tensor 1 has 2 axes; coordinates are vectors");
    Ok(())
}

#[test]
fn products_of_matrices_alone() -> Outcome {
    let device = Device::open(0)?;
    let a = Tensor::from_slice(&device, &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [2, 3])?;
    let a = a.cast(support::multiplied(&device))?;
    assert_eq!(a.mm(&a.t()?)?.cast(DType::F32)?.to_vec2::<f32>()?, [[14.0, 32.0], [32.0, 77.0]]);
    let batch = a.unsqueeze(0)?.expand([4, 2, 3])?;
    assert_eq!(batch.bmm(&batch.t()?)?.dims(), [4, 2, 2]);
    assert!(reason(batch.mm(&a)).contains("both tensors must have 2 axes"));
    assert!(reason(a.bmm(&a)).contains("both tensors must have 3 axes"));
    assert!(reason(batch.bmm(&batch.narrow(0, 0, 1)?.t()?)).contains("first axes must have the same size"));
    assert!(reason(a.mm(&a)).contains("both must be the same"));
    Ok(())
}

/// Against `f64::hypot`, rounded once.
#[test]
fn lengths_of_hypotenuses() -> Outcome {
    let device = Device::open(0)?;
    let numbers = [3.0f32, -4.0, 0.0, -0.0, 3e38, 1e-40, f32::INFINITY, f32::NAN];
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for x in numbers {
        for y in numbers {
            a.push(x);
            b.push(y);
        }
    }
    let of = |elements: &[f32]| Tensor::from_slice(&device, elements, elements.len());
    if support::skips_on(&device, Product::Ascend310P, "it has no absolute values of complex numbers") {
        return Ok(());
    }
    let lengths = of(&a)?.hypot(&of(&b)?)?.to_vec::<f32>()?;
    for ((x, y), length) in a.iter().zip(&b).zip(lengths) {
        let expected = f64::from(*x).hypot(f64::from(*y)) as f32;
        let is_close = (length - expected).abs() <= expected.abs() * 2.0 * f32::EPSILON;
        assert!(
            length == expected || is_close || length.is_nan() && expected.is_nan(),
            "{x}, {y}: {length}, not {expected}"
        );
    }
    let halves = Tensor::from_slice(&device, &[f16::from_f32(3.0)], 1)?;
    let length = halves.hypot(&Tensor::from_slice(&device, &[f16::from_f32(4.0)], 1)?)?;
    assert_eq!(length.to_vec::<f16>()?, [f16::from_f32(5.0)]);
    Ok(())
}

#[test]
fn tensors_are_tiled_shuffled_and_compared() -> Outcome {
    let device = Device::open(0)?;
    let grid = Tensor::arange(&device, 0, 4, 1, DType::I32)?.reshape([2, 2])?;
    assert_eq!(grid.tile(&[])?.to_vec::<i32>()?, [0, 1, 2, 3]);
    assert_eq!(grid.tile(&[2, 1])?.to_vec2::<i32>()?, [[0, 1], [2, 3], [0, 1], [2, 3]]);
    let (channels, height, width, factor) = (2, 3, 2, 2);
    let elements: Vec<i32> = (0..(2 * channels * factor * factor * height * width) as i32).collect();
    let given = Tensor::from_slice(&device, &elements, [2, channels * factor * factor, height, width])?;
    let image = given.pixel_shuffle(factor)?;
    assert_eq!(image.dims4()?, (2, channels, height * factor, width * factor));
    // PyTorch's documentation: channel c·r² + r·i + j holds the pixels at row i and column j of each square.
    let shuffled = image.to_vec::<i32>()?;
    for (place, element) in shuffled.iter().enumerate() {
        let (column, rest) = (place % (width * factor), place / (width * factor));
        let (row, rest) = (rest % (height * factor), rest / (height * factor));
        let channel = rest * factor * factor + row % factor * factor + column % factor;
        let expected = (channel * height + row / factor) * width + column / factor;
        assert_eq!(*element, expected as i32, "place {place}");
    }
    assert_eq!(image.pixel_unshuffle(factor)?.to_vec::<i32>()?, elements);
    assert!(
        given.pixel_shuffle(3).is_err() && given.pixel_shuffle(0).is_err() && grid.pixel_shuffle(1).is_err()
    );
    assert!(image.pixel_unshuffle(4).is_err());

    let a = Tensor::from_slice(&device, &[1.0f32, f32::INFINITY], 2)?;
    let b = Tensor::from_slice(&device, &[1.01f32, f32::INFINITY], 2)?;
    assert!(a.allclose(&b, 0.1, 0.0)? && !a.allclose(&b, 1e-3, 0.0)? && a.allclose(&b, 0.0, 0.02)?);
    let nan = Tensor::from_slice(&device, &[f32::NAN], 1)?;
    assert!(!nan.allclose(&nan, 1.0, 1.0)?);
    Ok(())
}

#[test]
fn classes_and_numbers_like_a_tensor() -> Outcome {
    let device = Device::open(0)?;
    let labels = Tensor::from_slice(&device, &[1i64, 0, 3, 3], [2, 2])?;
    let hot = labels.one_hot(4, DType::F32)?;
    assert_eq!(hot.dims(), [2, 2, 4]);
    let expected = [[[0, 1, 0, 0], [1, 0, 0, 0]], [[0, 0, 0, 1], [0, 0, 0, 1]]];
    assert_eq!(hot.to_dtype(DType::I32)?.to_vec3::<i32>()?, expected);
    let a = Tensor::zeros(&device, [3, 5], DType::F32)?;
    let (mut one, mut same) = (Generator::new(7), Generator::new(7));
    assert_eq!(
        a.rand_like(&mut one)?.to_vec::<f32>()?,
        Tensor::rand(&device, [3, 5], DType::F32, &mut same)?.to_vec::<f32>()?
    );
    assert_eq!(
        a.randn_like(&mut one)?.to_vec::<f32>()?,
        Tensor::randn(&device, [3, 5], DType::F32, &mut same)?.to_vec::<f32>()?
    );
    let error = Tensor::zeros(&device, [2], DType::I32)?.randn_like(&mut one).unwrap_err().to_string();
    assert!(error.starts_with("normal(") && error.contains("does not take i32"), "{error}");
    Ok(())
}

/// By loops on the host, as PyTorch defines `linear`: a weight lies as `[outputs, inputs]`.
#[test]
fn linear_layers_take_any_axes_before_the_features() -> Outcome {
    let device = Device::open(0)?;
    let element = |at: usize| (at * 7 % 11) as f32 - 5.0;
    let floats = |count: usize| (0..count).map(element).collect::<Vec<_>>();
    let (weight, bias) = (floats(12), floats(3));
    let weights = Tensor::from_slice(&device, &weight, [3, 4])?;
    let biases = Tensor::from_slice(&device, &bias, 3)?;
    let precision = support::precision(&device);
    for before in [&[][..], &[5], &[2, 3], &[2, 0, 3], &[1, 2, 2, 2]] {
        let rows: usize = before.iter().product();
        let input = floats(rows * 4);
        let x = Tensor::from_slice(&device, &input, [before, &[4]].concat())?;
        let expected = |with_bias: bool| -> Vec<f32> {
            let row = |row: usize| {
                (0..3).map(move |out| (row, out)).map(|(row, out)| {
                    let sum: f32 = (0..4).map(|at| input[row * 4 + at] * weight[out * 4 + at]).sum();
                    sum + if with_bias { bias[out] } else { 0.0 }
                })
            };
            (0..rows).flat_map(row).collect()
        };
        let y = if precision == Precision::Keep {
            x.linear(&weights)?
        } else {
            ops::linear(&x, &weights).precision(precision).run()?
        };
        assert_eq!(
            (y.dims(), y.to_vec::<f32>()?),
            (&[before, &[3]].concat()[..], expected(false)),
            "{before:?}"
        );
        let y = ops::linear(&x, &weights).precision(precision).bias(&biases).run()?;
        assert_eq!(
            (y.dims(), y.to_vec::<f32>()?),
            (&[before, &[3]].concat()[..], expected(true)),
            "{before:?}"
        );
    }
    // A view that does not lie in one piece.
    let x = Tensor::from_slice(&device, &floats(24), [4, 3, 2])?.permute(&[2, 1, 0])?;
    let whole = ops::linear(&x.contiguous()?, &weights).precision(precision).run()?.to_vec::<f32>()?;
    assert_eq!(ops::linear(&x, &weights).precision(precision).run()?.to_vec::<f32>()?, whole);
    let halves = ops::linear(&x, &weights).precision(precision).bias(&biases).dtype(DType::F16).run()?;
    assert_eq!(halves.dtype(), DType::F16);
    // A weight that other streams share does not draw the work to its own.
    let stream = Stream::new(&device)?;
    let row = Tensor::from_slice(&stream, &floats(4), [1, 4])?;
    let y = ops::linear(&row, &weights).precision(precision).bias(&biases);
    assert_eq!(y.clone().run()?.stream(), &stream);
    assert_eq!(y.on(biases.stream()).run()?.stream(), biases.stream());
    // Refusals name this operation and what was given, before anything is copied.
    let whole = Tensor::from_slice(&device, &[1i32; 24], [2, 3, 4])?;
    assert!(reason(whole.linear(&weights)).starts_with("linear(self i32[2, 3, 4], weight f32[3, 4]): "));
    let wrong = reason(ops::linear(&x, &weights).bias(&whole.select(0, 0)?.select(1, 0)?).run());
    assert!(wrong.starts_with("linear(self f32[2, 3, 4], weight f32[3, 4], bias i32[3]): "), "{wrong}");
    let refused = |x: &Tensor, weight: &Tensor| reason(ops::linear(x, weight).precision(precision).run());
    let wrong = refused(&weights, &weights.t()?);
    assert!(wrong.contains("the weight is for 3 features, and the input has 4"), "{wrong}");
    assert!(refused(&weights, &biases).contains("[features of the result, features]"));
    let wrong = reason(ops::linear(&weights, &weights).precision(precision).bias(&weights).run());
    assert!(wrong.contains("the bias is not [3]"), "{wrong}");
    assert!(refused(&biases.select(0, 0)?, &weights).contains("[..., features]"));
    Ok(())
}

#[test]
fn an_axis_is_divided() -> Outcome {
    let device = Device::open(0)?;
    let x = Tensor::arange(&device, 0, 24, 1, DType::I32)?.reshape([2, 12])?;
    assert_eq!(x.unflatten(1, [3, 4])?.dims(), [2, 3, 4]);
    assert_eq!(x.unflatten(-2, [1, 2, 1])?.dims(), [1, 2, 1, 12]);
    assert_eq!(x.t()?.unflatten(0, [6, 2])?.to_vec::<i32>()?, x.t()?.to_vec::<i32>()?);
    assert!(x.unflatten(1, [5, 2]).is_err() && x.unflatten(2, [1]).is_err());
    let empty = Tensor::zeros(&device, [0, 6], DType::F32)?;
    assert_eq!(empty.unflatten(1, [2, 3])?.dims(), [0, 2, 3]);
    assert_eq!(
        reason(empty.unflatten(1, [5, 7])),
        "unflatten(self f32[0, 6]): the sizes [5, 7] do not multiply to 6, the size of axis 1"
    );
    assert!(x.unsqueeze(0)?.unflatten(0, [0usize; 0]).is_err() && x.unflatten(0, [usize::MAX, 4]).is_err());
    Ok(())
}

/// Sizes are numbers as they are, and generic code makes scalars of any element.
#[test]
fn sizes_are_scalars() -> Outcome {
    fn filled<T: aclnn::Element>(device: &Device, value: T) -> Result<Tensor, Error> {
        Tensor::full(device, [2], Scalar::new(value), T::DTYPE)
    }
    let device = Device::open(0)?;
    let names = ["a", "b", "c"];
    let x = Tensor::arange(&device, 0, names.len(), 1usize, DType::I64)?;
    assert_eq!(x.to_vec::<i64>()?, [0, 1, 2]);
    assert_eq!(ops::add(&x, &x).alpha(names.len()).run()?.to_vec::<i64>()?, [0, 4, 8]);
    assert_eq!((Scalar::from(-1isize).dtype(), Scalar::from(usize::MAX).dtype()), (DType::I64, DType::U64));
    assert_eq!(filled(&device, f16::ONE)?.to_vec::<f16>()?, [f16::ONE; 2]);
    Ok(())
}
