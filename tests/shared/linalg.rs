//! Linear algebra and `einsum` through the safe layer: shapes, views, empty tensors and what is refused. What the operators
//! compute is tested with the emulator; expectations here are written out, or sums as loops.

use aclnn::ops::QrMode;
use aclnn::product::Product;
use aclnn::{Complex, DType, Device, Error, Tensor, ops};

use crate::support;

fn numbers(device: &Device, dims: &[usize], seed: usize) -> Result<Tensor, Error> {
    let count: usize = dims.iter().product();
    let values: Vec<f32> = (0..count).map(|index| ((index + seed) * 7 % 11) as f32 - 5.0).collect();
    Tensor::from_slice(device, &values, dims)
}

/// The sums of products of all elements of all operands, over every index of every letter. `...` is written as capital letters.
fn by_hand(equation: &str, operands: &[(&[usize], Vec<f32>)]) -> (Vec<usize>, Vec<f32>) {
    let (left, right) = equation.split_once("->").unwrap_or_default();
    let terms: Vec<&str> = left.split(',').collect();
    let mut letters: Vec<char> = right.chars().chain(left.chars().filter(|letter| *letter != ',')).collect();
    let mut known = Vec::new();
    letters.retain(|letter| {
        !known.contains(letter) && {
            known.push(*letter);
            true
        }
    });
    let size = |letter: &char| {
        let all = terms.iter().zip(operands).flat_map(|(term, (dims, _))| term.chars().zip(*dims));
        all.filter(|(other, _)| other == letter).map(|(_, size)| *size).find(|size| *size != 1).unwrap_or(1)
    };
    let sizes: Vec<usize> = letters.iter().map(size).collect();
    let dims = sizes[..right.len()].to_vec();
    let mut result = vec![0.0; dims.iter().product()];
    for number in 0..sizes.iter().product() {
        let mut rest: usize = number;
        let mut indices = vec![0; sizes.len()];
        for (index, size) in indices.iter_mut().zip(&sizes).rev() {
            *index = rest % size;
            rest /= size;
        }
        let index =
            |letter: char| indices[letters.iter().position(|other| *other == letter).unwrap_or_default()];
        let product: f32 = terms
            .iter()
            .zip(operands)
            .map(|(term, (dims, elements))| {
                elements[term
                    .chars()
                    .zip(*dims)
                    .fold(0, |at, (letter, size)| at * size + index(letter).min(size - 1))]
            })
            .product();
        result[right.chars().zip(&dims).fold(0, |at, (letter, size)| at * size + index(letter))] += product;
    }
    (dims, result)
}

/// Numbers are whole and so small that every sum is exact in every order.
#[test]
fn sums_of_products_are_those_that_the_equation_names() -> Result<(), Error> {
    let device = Device::open(0)?;
    let cases: &[(&str, &str, &[&[usize]])] = &[
        ("ij,jk->ik", "", &[&[3, 4], &[4, 5]]),
        ("ij,jk", "ij,jk->ik", &[&[3, 4], &[4, 5]]),
        (" ij , jk -> ki ", "ij,jk->ki", &[&[3, 4], &[4, 5]]),
        ("ba", "ba->ab", &[&[2, 3]]),
        ("i,j->ij", "", &[&[3], &[4]]),
        ("i,i->", "", &[&[5], &[5]]),
        ("i,i->i", "", &[&[5], &[5]]),
        ("ij->", "", &[&[3, 4]]),
        ("ij->ji", "", &[&[3, 4]]),
        ("ii->i", "", &[&[4, 4]]),
        ("ii", "ii->", &[&[4, 4]]),
        ("iij->ji", "", &[&[3, 3, 2]]),
        ("ijij->j", "", &[&[2, 3, 2, 3]]),
        ("iii->i", "", &[&[3, 3, 3]]),
        ("bij,bjk->bik", "", &[&[2, 3, 4], &[2, 4, 5]]),
        ("bij,bkj->bik", "", &[&[2, 3, 4], &[2, 5, 4]]),
        ("bij,jk->bik", "", &[&[2, 3, 4], &[4, 5]]),
        ("bhqd,bhkd->bhqk", "", &[&[2, 3, 4, 5], &[2, 3, 2, 5]]),
        ("abcd,abced->abce", "", &[&[2, 2, 3, 4], &[2, 2, 3, 5, 4]]),
        ("bhwc,bhwkc->bhwk", "", &[&[2, 2, 3, 4], &[2, 2, 3, 5, 4]]),
        ("abcd,abced->abce", "", &[&[2, 1, 3, 4], &[2, 2, 1, 5, 4]]),
        ("...ij,...jk->...ik", "ABij,ABjk->ABik", &[&[2, 3, 2, 3], &[2, 3, 3, 2]]),
        ("...ij,...jk", "Bij,ABjk->ABik", &[&[3, 2, 3], &[2, 3, 3, 2]]),
        ("i...->...", "iAB->AB", &[&[3, 2, 4]]),
        ("...i,i...->...i", "Ai,iA->Ai", &[&[2, 3], &[3, 2]]),
        ("ij,jk,kl->il", "", &[&[2, 3], &[3, 4], &[4, 2]]),
        ("ij,ik,il->jkl", "", &[&[3, 2], &[3, 2], &[3, 2]]),
        ("i,ij,j->", "", &[&[2], &[2, 3], &[3]]),
        ("ij,ij,ij->i", "", &[&[2, 3], &[1, 3], &[2, 1]]),
        ("ij,jk->ik", "", &[&[3, 1], &[4, 2]]),
        ("ij,k->i", "", &[&[3, 4], &[2]]),
        ("i,i,i->", "", &[&[1], &[1], &[4]]),
        (",ij->ij", "", &[&[], &[2, 3]]),
    ];
    let multiplied = support::multiplied(&device);
    let is_310p = support::skips_on(&device, Product::Ascend310P, "it multiplies no matrices of f32");
    let mut refused = 0;
    for (equation, plain, shapes) in cases {
        let tensors = shapes.iter().enumerate().map(|(seed, dims)| numbers(&device, dims, seed));
        let tensors = tensors.collect::<Result<Vec<_>, Error>>()?;
        let operands = shapes.iter().zip(&tensors).map(|(dims, tensor)| Ok((*dims, tensor.to_vec::<f32>()?)));
        let operands = operands.collect::<Result<Vec<_>, Error>>()?;
        let expected = by_hand(if plain.is_empty() { equation } else { plain }, &operands);
        for dtype in [DType::F32, DType::F16, DType::F64, DType::I32, DType::C64] {
            let cast = tensors.iter().map(|tensor| tensor.cast(dtype)).collect::<Result<Vec<_>, Error>>()?;
            let given: Vec<&Tensor> = cast.iter().collect();
            let result = match ops::einsum(equation, &given) {
                Err(error) if is_310p && dtype == DType::F32 => {
                    assert!(error.to_string().contains("multiplies f16 alone"), "{equation}: {error}");
                    refused += 1;
                    continue;
                }
                result => result?,
            };
            assert_eq!(result.dtype(), dtype, "{equation}");
            assert!(given.iter().all(|operand| !operand.shares_buffer_with(&result)), "{equation}");
            let values = match dtype {
                DType::C64 => result.to_vec::<Complex<f32>>()?.iter().map(|number| number.re).collect(),
                _ => result.cast(DType::F32)?.to_vec::<f32>()?,
            };
            assert_eq!((result.dims().to_vec(), values), expected, "{equation} {dtype}");
        }
        // The same through views of other strides.
        let turned = tensors.iter().map(|tensor| {
            let axes: Vec<usize> = (0..tensor.rank()).rev().collect();
            tensor.cast(multiplied)?.permute(&axes)?.copy()?.permute(&axes)
        });
        let turned = turned.collect::<Result<Vec<_>, Error>>()?;
        let result = ops::einsum(equation, &turned.iter().collect::<Vec<_>>())?;
        let values = result.cast(DType::F32)?.to_vec::<f32>()?;
        assert_eq!((result.dims().to_vec(), values), expected, "{equation}");
    }
    assert!(refused < cases.len() * 2 / 3, "{refused} of {}", cases.len());
    let empty = Tensor::zeros(&device, [2, 0], multiplied)?;
    let sums = ops::einsum("ij,kj->ik", &[&empty, &empty])?;
    assert_eq!((sums.dims(), sums.cast(DType::F32)?.to_vec::<f32>()?), (&[2, 2][..], vec![0.0; 4]));
    Ok(())
}

#[test]
fn equations_that_do_not_suit_the_operands_are_refused() -> Result<(), Error> {
    let device = Device::open(0)?;
    let (a, b) = (numbers(&device, &[2, 3], 0)?, numbers(&device, &[4, 2], 1)?);
    let whole = a.cast(DType::I32)?;
    for (equation, operands, reason) in [
        ("ij,jk->ik", &[&a, &b][..], "axis j has 3 elements in one operand and 4 in another"),
        ("i...,j...->ij", &[&a, &b], "axis -1 of ..."),
        ("ii", &[&a], "axis i has 2"),
        ("ij", &[&a, &b], "of 1 operands, but there are 2"),
        ("ijk", &[&a], "does not suit an operand with 2 axes"),
        ("i", &[&a], "does not suit"),
        ("ij->k", &[&a], "k is an axis of the result, but of no operand"),
        ("ij->ii", &[&a], "i is an axis of the result twice"),
        ("i1", &[&a], "`1` in `i1` names no axis"),
        ("ij,ij", &[&a, &whole], "must have one type"),
        ("", &[], "no operands"),
    ] {
        match ops::einsum(equation, operands) {
            Err(Error::Argument { operator: "einsum", reason: why, .. }) => {
                assert!(why.contains(reason), "{equation}: {why}");
            }
            other => panic!("{equation}: {other:?}"),
        }
    }
    Ok(())
}

#[test]
fn factors_multiply_to_the_matrix_through_views() -> Result<(), Error> {
    let device = Device::open(0)?;
    let matrix = numbers(&device, &[2, 4, 3], 0)?.transpose(1, 2)?;
    // An Ascend310P multiplies no matrices of f32, but their elements.
    let is_310p = device.product() == Some(Product::Ascend310P);
    let product = |a: &Tensor, b: &Tensor| match is_310p {
        true => a.unsqueeze(-1)?.mul(&b.unsqueeze(-3)?)?.sum(-2),
        false => a.matmul(b),
    };
    let is_near = |a: &Tensor, b: &Tensor| -> Result<bool, Error> {
        Ok(ops::is_close(a, b).atol(1e-5).run()?.all(..)?.to_vec::<bool>()?[0])
    };
    for mode in [QrMode::Reduced, QrMode::Complete] {
        let (q, r) = matrix.qr(mode)?;
        assert_eq!((q.dims(), r.dims()), (&[2, 3, 3][..], &[2, 3, 4][..]));
        assert!(is_near(&product(&q, &r)?, &matrix)?);
    }
    let (u, s, v) = matrix.svd(true)?;
    assert_eq!((u.dims(), s.dims(), v.dims()), (&[2, 3, 3][..], &[2, 3][..], &[2, 4, 4][..]));
    let scaled = u.mul(&s.unsqueeze(1)?)?;
    assert!(is_near(&product(&scaled, &v.slice(2, ..3)?.transpose(1, 2)?)?, &matrix)?);
    assert!(is_near(&matrix.svdvals()?, &s)?);

    let square = product(&matrix, &matrix.transpose(1, 2)?)?.add(&Tensor::eye(&device, 3, 3, DType::F32)?)?;
    let lower = if support::skips_on(&device, Product::Ascend310P, "it has no factors of Cholesky") {
        square.qr(QrMode::Reduced)?.1.transpose(1, 2)?
    } else {
        let (lower, upper) = (square.cholesky(false)?, square.cholesky(true)?);
        assert!(ops::is_close(&lower.matmul(&upper)?, &square).run()?.all(..)?.to_vec::<bool>()?[0]);
        lower
    };
    let identity = Tensor::eye(&device, 3, 3, DType::F32)?.broadcast_to([2, 3, 3])?;
    assert!(is_near(&ops::triangular_solve(&lower, &lower).run()?, &identity)?);
    // One triangle for both right-hand sides.
    let first = lower.select(0, 0)?;
    let solved = ops::triangular_solve(&matrix, &first).run()?;
    assert_eq!(solved.dims(), matrix.dims());
    assert!(is_near(&product(&first, &solved)?, &matrix)?);
    let turned = ops::triangular_solve(&matrix, &first.transpose(0, 1)?).upper().transpose().run()?;
    assert_eq!(turned.to_vec::<f32>()?, solved.to_vec::<f32>()?);
    let (sign, logarithm) = square.slogdet()?;
    assert_eq!(sign.to_vec::<f32>()?, [1.0, 1.0]);
    assert_eq!(square.logdet()?.to_vec::<f32>()?, logarithm.to_vec::<f32>()?);
    Ok(())
}

/// The library leaves outputs alone where a matrix has no elements; what belongs there is what NumPy has.
#[test]
fn matrices_without_elements_have_identities_and_a_determinant_of_one() -> Result<(), Error> {
    let device = Device::open(0)?;
    let none = Tensor::zeros(&device, [2, 0, 0], DType::F32)?;
    let (sign, logarithm) = none.slogdet()?;
    assert_eq!((sign.to_vec::<f32>()?, logarithm.to_vec::<f32>()?), (vec![1.0; 2], vec![0.0; 2]));
    assert_eq!((none.det()?.to_vec::<f32>()?, none.logdet()?.to_vec::<f32>()?), (vec![1.0; 2], vec![0.0; 2]));
    assert_eq!(none.inverse()?.dims(), [2, 0, 0]);
    let narrow = Tensor::zeros(&device, [2, 0], DType::F32)?;
    let (q, r) = narrow.qr(QrMode::Complete)?;
    assert_eq!((q.to_vec::<f32>()?, r.dims()), (vec![1.0, 0.0, 0.0, 1.0], &[2, 0][..]));
    let (u, s, v) = narrow.svd(true)?;
    assert_eq!((u.to_vec::<f32>()?, s.dims(), v.dims()), (vec![1.0, 0.0, 0.0, 1.0], &[0][..], &[0, 0][..]));
    assert_eq!(narrow.trace()?.to_vec::<f32>()?, [0.0]);
    if support::skips_on(&device, Product::Ascend310P, "it has no distances of two lists of rows") {
        return Ok(());
    }
    assert_eq!(narrow.cdist(&narrow, 2.0)?.to_vec::<f32>()?, [0.0; 4]);
    let distances = Tensor::zeros(&device, [2, 0], DType::F32)?;
    let rows = numbers(&device, &[2, 3], 0)?;
    let gradient = ops::cdist_backward(&distances, &rows, &rows.slice(0, ..0)?, &distances, 2.0)?;
    assert_eq!(gradient.to_vec::<f32>()?, [0.0; 6]);
    Ok(())
}

#[test]
fn complex_logarithms_and_singular_values_are_real() -> Result<(), Error> {
    let device = Device::open(0)?;
    let turn = Complex::new(0.0f32, 1.0);
    let matrix = Tensor::from_slice(
        &device,
        &[turn, Complex::default(), Complex::default(), Complex::new(2.0, 0.0)],
        [2, 2],
    )?;
    let (sign, logarithm) = matrix.slogdet()?;
    assert_eq!((sign.to_vec::<Complex<f32>>()?, logarithm.to_vec::<f32>()?), (vec![turn], vec![2.0f32.ln()]));
    assert_eq!(matrix.det()?.dtype(), DType::C64);
    assert_eq!(matrix.svdvals()?.to_vec::<f32>()?, [2.0, 1.0]);
    Ok(())
}

#[test]
fn matrices_that_do_not_fit_are_refused_before_anything_is_launched() -> Result<(), Error> {
    let device = Device::open(0)?;
    let (a, line) = (numbers(&device, &[2, 3], 0)?, numbers(&device, &[3], 0)?);
    let half = a.cast(DType::F16)?;
    let refused: Vec<(&str, Result<(), Error>, &str)> = vec![
        ("inverse", a.inverse().map(drop), "2 rows and 3 columns"),
        ("slogdet", line.slogdet().map(drop), "self has 1 axes"),
        ("det", line.det().map(drop), "self has 1 axes"),
        ("cholesky", a.cholesky(false).map(drop), "both must be the same"),
        ("qr", line.qr(QrMode::Reduced).map(drop), "two or more"),
        ("triangular_solve", ops::triangular_solve(&a, &a).run().map(drop), "A has 2 rows"),
        ("cross", a.cross(&a, 0).map(drop), "axis 0 has 2 elements"),
        ("cross", a.cross(&half, 1).map(drop), "must have one type"),
        ("trace", a.unsqueeze(0)?.trace().map(drop), "must have two"),
        ("cdist", a.cdist(&a, -1.0).map(drop), "p is -1"),
        ("cdist", a.cdist(&a, f64::NAN).map(drop), "p is NaN"),
        ("cdist", a.cdist(&a.slice(1, ..2)?, 2.0).map(drop), "rows of self have 3"),
        ("cdist_backward", ops::cdist_backward(&a, &a, &a, &a, 2.0).map(drop), "must have shape [2, 2]"),
        ("pdist", line.pdist(2.0).map(drop), "self has 1 axes"),
    ];
    let mut missing = Vec::new();
    for (name, result, reason) in refused {
        if support::is_missing(&device, &result) {
            missing.push(name);
            continue;
        }
        match result {
            Err(Error::Argument { operator, reason: why, .. }) => {
                assert!(operator == name && why.contains(reason), "{name}: {why}");
            }
            other => panic!("{name}: {other:?}"),
        }
    }
    if !missing.is_empty() {
        missing.dedup();
        support::skipped(&format!("the product has no {}", missing.join(", ")));
        assert_eq!(missing, ["cholesky", "cdist", "cdist_backward"]);
    }
    let square = numbers(&device, &[2, 2], 0)?.cast(DType::F64)?;
    let ones = ops::triangular_solve(&square, &square).unitriangular().run();
    assert!(matches!(ones, Err(Error::Argument { .. })), "{ones:?}");
    assert!(matches!(half.slice(1, ..2)?.slogdet(), Err(Error::Unsupported { dtype: DType::F16, .. })));
    Ok(())
}
