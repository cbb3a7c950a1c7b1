//! Sorting, selection by rank, search and unique elements through the safe layer: options, shapes, casts, and what is
//! refused. What the operators compute is tested with the emulator; expectations here are written out.

use aclnn::product::Product;
use aclnn::{DType, Device, Error, Policy, Tensor, f16, ops};

use crate::support;

fn values<T: aclnn::Element + Clone>(result: Result<Tensor, Error>) -> Result<Vec<T>, Error> {
    result?.to_vec()
}

#[test]
fn sorts_take_options_and_views() -> Result<(), Error> {
    let device = Device::open(0)?;
    let grid = Tensor::from_slice(&device, &[3.0f32, 1.0, 2.0, 1.0, 3.0, f32::NAN], [2, 3])?;
    let (sorted, indices) = grid.sort(1)?;
    assert_eq!(sorted.select(0, 0)?.to_vec::<f32>()?, [1.0, 2.0, 3.0]);
    assert_eq!(indices.to_vec::<i64>()?, [1, 2, 0, 0, 1, 2]);
    let (_, indices) = ops::sort(&grid, -1).descending().stable().run()?;
    assert_eq!(indices.to_vec::<i64>()?, [0, 2, 1, 2, 1, 0]);
    assert_eq!(values::<i64>(ops::sort(&grid, 0).descending().indices())?, [0, 1, 1, 1, 0, 0]);
    assert_eq!(values::<i64>(grid.transpose(0, 1)?.argsort(0))?, [1, 0, 2, 1, 0, 2]);
    let (top, indices) = ops::topk(&grid, 1, 0).smallest().unsorted().run()?;
    assert_eq!((top.dims(), top.to_vec::<f32>()?), (&[1, 3][..], vec![1.0, 1.0, 2.0]));
    assert_eq!(indices.to_vec::<i64>()?, [1, 0, 0]);
    assert_eq!(grid.topk(0, 1)?.0.dims(), [2, 0]);

    let one = Tensor::from_slice(&device, &[7i32], ())?;
    let (sorted, index) = one.sort(0)?;
    assert_eq!((sorted.item::<i32>()?, index.item::<i64>()?, sorted.rank()), (7, 0, 0));
    assert_eq!(one.topk(1, -1)?.0.item::<i32>()?, 7);
    assert_eq!(one.topk(0, 0)?.0.dims(), [0]);
    let nothing = Tensor::zeros(&device, [0, 2], DType::F32)?;
    assert_eq!(nothing.sort(0)?.0.dims(), [0, 2]);
    Ok(())
}

#[test]
fn one_element_is_selected_by_its_rank() -> Result<(), Error> {
    let device = Device::open(0)?;
    let grid = Tensor::from_slice(&device, &[3.0f32, 1.0, 2.0, 4.0, f32::NAN, 6.0], [2, 3])?;
    let (kth, index) = ops::kth_value(&grid, 2, -1).keep_dims().run()?;
    assert_eq!(
        (kth.dims(), kth.to_vec::<f32>()?, index.to_vec::<i64>()?),
        (&[2, 1][..], vec![2.0, 6.0], vec![2, 2])
    );
    let (middle, index) = grid.nan_median_dim(1)?;
    assert_eq!(
        (middle.dims(), middle.to_vec::<f32>()?, index.to_vec::<i64>()?),
        (&[2][..], vec![2.0, 4.0], vec![2, 0])
    );
    let (middle, index) = ops::median_dim(&grid, 0).keep_dims().run()?;
    assert_eq!((middle.dims(), index.dims()), (&[1, 3][..], &[1, 3][..]));
    // The 950 takes NaN for the greatest.
    let is_950 = device.product() == Some(Product::Ascend950);
    assert_eq!(middle.to_vec::<f32>()?.get(1).map(|middle| middle.is_nan()), Some(!is_950));
    assert!(grid.median()?.item::<f32>()?.is_nan());
    assert_eq!(grid.nan_median()?.item::<f32>()?, 3.0);
    assert!(Tensor::zeros(&device, [0], DType::F32)?.median()?.item::<f32>()?.is_nan());
    Ok(())
}

#[test]
fn what_the_library_does_not_order_is_cast_to_what_keeps_the_order() -> Result<(), Error> {
    let device = Device::open(0)?;
    let bools = Tensor::from_slice(&device, &[true, false, true], 3)?;
    assert_eq!(values::<i64>(bools.argsort(0))?, [1, 0, 2]);
    let wide = Tensor::from_slice(&device, &[3u32, u32::MAX, 0], 3)?;
    let (sorted, indices) = wide.sort(0)?;
    assert_eq!((sorted.to_vec::<u32>()?, indices.to_vec::<i64>()?), (vec![0, 3, u32::MAX], vec![2, 0, 1]));
    if !support::has_bf16(&device) {
        return Ok(());
    }
    // The library refuses bf16 along an axis of one element.
    let column = Tensor::from_slice(&device, &[2.0f32, 1.0], [2, 1])?.cast(DType::BF16)?;
    let (middle, index) = column.median_dim(1)?;
    assert_eq!((middle.dtype(), index.to_vec::<i64>()?), (DType::BF16, vec![0, 0]));
    assert_eq!(middle.cast(DType::F32)?.to_vec::<f32>()?, [2.0, 1.0]);
    assert_eq!(values::<i64>(column.argsort(-1))?, [0, 0]);
    assert_eq!(column.median()?.cast(DType::F32)?.item::<f32>()?, 1.0);
    assert_eq!(values::<i64>(column.flatten_all()?.sort(0)?.0.search_sorted(1.5))?, [1]);
    Ok(())
}

#[test]
fn plans_show_the_casts_and_launch_nothing() -> Result<(), Error> {
    let device = Device::open(0)?;
    let product = device.product();
    let (wide, halves) =
        (Tensor::from_slice(&device, &[3u32, 1], 2)?, Tensor::from_slice(&device, &[f16::ONE; 2], 2)?);
    let floats = Tensor::from_slice(&device, &[[1.0f32, 2.0], [3.0, 4.0]].concat(), [2, 2])?;
    let plans = [
        (ops::sort(&floats, 0).plan()?, "sort: Sort f32 → f32 [2, 2]"),
        (ops::topk(&floats, 1, 0).plan()?, "topk: Topk f32 → f32 [1, 2]"),
        (ops::kth_value(&floats, 1, 0).plan()?, "kth_value: Kthvalue f32 → f32 [2]"),
        (ops::median_dim(&floats, 1).keep_dims().plan()?, "median_dim: MedianDim f32 → f32 [2, 1]"),
        (
            ops::search_sorted(&halves, &floats).plan()?,
            "search_sorted: Cast sorted_sequence f16→f32; SearchSorted f32 → i64 [2, 2]",
        ),
        (
            ops::search_sorted(&halves, 1).dtype(DType::I32).plan()?,
            "search_sorted: InplaceFillScalar self f16; SearchSorted f16 → i32 []",
        ),
        (
            ops::search_sorted(&halves, &floats).policy(Policy::Delegate).plan()?,
            "search_sorted: SearchSorted f16, f32 → i64 [2, 2]",
        ),
        (
            ops::search_sorted(&halves, &floats).policy(Policy::Auto).plan()?,
            "search_sorted: SearchSorted f16, f32 → i64 [2, 2]",
        ),
        (ops::unique(&wide).plan()?, "unique: Unique u32 → u32 [2]"),
        (ops::unique(&floats).axis(1).plan()?, "unique_dim: UniqueDim f32 → f32 [2, 2]"),
    ];
    for (plan, expected) in plans {
        assert_eq!(plan.to_string(), expected);
    }
    if product != Some(Product::Ascend950) {
        let plan = ops::sort(&wide, 0).plan()?;
        assert_eq!(plan.to_string(), "sort: Cast self u32→i64; Sort i64 → i64 [2]; Cast result i64→u32");
    }
    Ok(())
}

#[test]
fn searches_promote_and_take_rows_and_sorters() -> Result<(), Error> {
    let device = Device::open(0)?;
    let whole = Tensor::from_slice(&device, &[1i32, 3, 3, 5], 4)?;
    let floats = Tensor::from_slice(&device, &[[2.5f32, 3.0], [f32::NAN, -1.0]].concat(), [2, 2])?;
    assert_eq!(values::<i64>(whole.search_sorted(&floats))?, [1, 1, 4, 0]);
    for policy in [Policy::Delegate, Policy::Auto] {
        assert_eq!(values::<i64>(ops::search_sorted(&whole, &floats).policy(policy).run())?, [1, 1, 4, 0]);
    }
    let right = ops::search_sorted(&whole, &floats).right().dtype(DType::I32).run()?;
    assert_eq!(right.to_vec::<i32>()?, [1, 3, 4, 0]);
    assert_eq!(whole.search_sorted(3)?.item::<i64>()?, 1);
    assert_eq!(whole.search_sorted(3.5)?.item::<i64>()?, 3);
    // A number beyond the digits of f32, through which the library's form for scalars goes.
    let large = Tensor::from_slice(&device, &[1i64 << 24, (1 << 24) + 1], 2)?;
    assert_eq!(large.search_sorted((1i64 << 24) + 1)?.item::<i64>()?, 1);

    let rows = Tensor::from_slice(&device, &[9.0f32, 7.0, 8.0, 1.0, 3.0, 2.0], [2, 3])?;
    let sorter = rows.argsort(1)?;
    let wanted = Tensor::from_slice(&device, &[8.0f32, 2.5], [2, 1])?;
    assert_eq!(values::<i64>(ops::search_sorted(&rows, &wanted).sorter(&sorter).run())?, [1, 2]);

    let halves = Tensor::from_slice(&device, &[f16::from_f32(0.5), f16::ONE], 2)?;
    assert_eq!(values::<i64>(floats.bucketize(&halves))?, [2, 2, 2, 0]);
    assert_eq!(values::<i64>(ops::bucketize(&floats, &whole.cast(DType::F32)?).right().run())?, [1, 3, 4, 0]);
    Ok(())
}

#[test]
fn unique_elements_have_the_shape_of_the_result() -> Result<(), Error> {
    let device = Device::open(0)?;
    let given = [3i32, -1, 3, 7, -1, 3];
    let grid = Tensor::from_slice(&device, &given, [2, 3])?;
    let (unique, inverse, counts) = ops::unique(&grid).run_with_inverse_and_counts()?;
    assert_eq!((unique.dims(), inverse.dims(), counts.dims()), (&[3][..], &[2, 3][..], &[3][..]));
    let (unique, inverse) = (unique.to_vec::<i32>()?, inverse.to_vec::<i64>()?);
    assert_eq!((&unique[..], counts.to_vec::<i64>()?), (&[-1, 3, 7][..], vec![2, 3, 1]));
    let again: Vec<_> = inverse.iter().filter_map(|&index| unique.get(index as usize).copied()).collect();
    assert_eq!(again, given);
    assert_eq!(values::<i64>(ops::unique(&grid).run_with_counts().map(|(_, counts)| counts))?, [2, 3, 1]);
    assert_eq!(values::<i64>(ops::unique(&grid).run_with_inverse().map(|(_, inverse)| inverse))?, inverse);
    // A result is a tensor like others.
    assert_eq!(values::<i32>(grid.unique()?.add(1))?, [0, 4, 8]);

    let (runs, counts) = ops::unique_consecutive(&grid.transpose(0, 1)?).run_with_counts()?;
    assert_eq!((runs.to_vec::<i32>()?, counts.to_vec::<i64>()?), (vec![3, 7, -1, 3], vec![1, 1, 2, 2]));
    let rows = Tensor::from_slice(&device, &[2u8, 1, 0, 9, 2, 1, 2, 1], [4, 2])?;
    let (slices, inverse, counts) = ops::unique(&rows).axis(0).run_with_inverse_and_counts()?;
    assert_eq!((slices.dims(), slices.to_vec::<u8>()?), (&[2, 2][..], vec![0, 9, 2, 1]));
    assert_eq!((inverse.to_vec::<i64>()?, counts.to_vec::<i64>()?), (vec![1, 0, 1, 1], vec![1, 3]));
    let columns = rows.transpose(0, 1)?.unique_dim(-1)?;
    assert_eq!((columns.dims(), columns.to_vec::<u8>()?), (&[2, 2][..], vec![0, 2, 9, 1]));
    let (slices, inverse) = ops::unique_consecutive(&rows).axis(0).run_with_inverse()?;
    assert_eq!((slices.dims(), inverse.to_vec::<i64>()?), (&[3, 2][..], vec![0, 1, 2, 2]));

    let nans = Tensor::from_slice(&device, &[f32::NAN, 1.0, f32::NAN], 3)?;
    assert_eq!(nans.unique()?.dims(), [3]);
    let nothing = Tensor::zeros(&device, [0, 3], DType::F32)?;
    assert_eq!((nothing.unique()?.dims(), nothing.unique_dim(0)?.dims()), (&[0][..], &[0, 3][..]));
    assert_eq!(Tensor::from_slice(&device, &[5i64], ())?.unique()?.to_vec::<i64>()?, [5]);
    Ok(())
}

#[test]
fn sorts_that_are_refused_name_the_operator_and_the_reason() -> Result<(), Error> {
    let device = Device::open(0)?;
    let floats = Tensor::zeros(&device, [2, 3], DType::F32)?;
    let error = floats.sort(2).expect_err("there are two axes");
    assert!(matches!(error, Error::View { view: "sort", .. }), "{error}");
    let wide = Tensor::zeros(&device, [3], DType::F64)?;
    let error = wide.sort(0).expect_err("f64 is not taken");
    assert!(error.to_string().contains("Sort does not take f64"), "{error}");
    let error = floats.argsort(2).expect_err("there are two axes");
    assert!(matches!(error, Error::View { view: "argsort", .. }), "{error}");
    let error = floats.unique_dim(2).expect_err("there are two axes");
    assert!(matches!(error, Error::View { view: "unique_dim", .. }), "{error}");
    let complex = Tensor::zeros(&device, [3], DType::C64)?;
    assert!(matches!(complex.unique(), Err(Error::Unsupported { by: "Unique", .. })));
    for (error, words) in [
        (floats.topk(4, 1).err(), "k is 4, but axis 1 has only 3 elements"),
        (floats.kth_value(0, 0).err(), "ranks on axis 0 go from 1 to 2"),
        (Tensor::zeros(&device, [2, 0], DType::F32)?.median_dim(1).err(), "axis 1 has no elements"),
        (Tensor::zeros(&device, [0], DType::I32)?.median().err(), "there are no elements"),
        (Tensor::zeros(&device, [2, 0], DType::F32)?.unique_dim(0).err(), "slices have no elements"),
        (floats.search_sorted(&wide).err(), "the sequence must have one axis"),
        (wide.bucketize(&floats).err(), "the boundaries must have one axis"),
        (ops::search_sorted(&wide, 1).sorter(&wide).run().err(), "sorter must be i64"),
        (ops::search_sorted(&wide, 1).dtype(DType::I16).run().err(), "positions are i64 or i32, not i16"),
    ] {
        let error = error.ok_or(Error::Internal { what: "a call that should be refused" })?;
        assert!(matches!(error, Error::Argument { .. }) && error.to_string().contains(words), "{error}");
    }
    Ok(())
}

const ON_EACH: [[(&str, &str); 1]; 3] = [
    [("CANN_STUBS_SOC", "Ascend910")],
    [("CANN_STUBS_SOC", "Ascend310P")],
    [("CANN_STUBS_SOC", "Ascend950")],
];

/// The same calls, where types and operators of the library differ.
#[test]
fn other_products_order_alike() -> Result<(), Box<dyn std::error::Error>> {
    let test = "other_products_order_alike";
    if !support::is_emulated()? || !support::is_alone(module_path!(), test, &ON_EACH)? {
        return Ok(());
    }
    let device = Device::open(0)?;
    let whole = Tensor::from_slice(&device, &[5i32, 1, 3], 3)?;
    assert_eq!(whole.sort(0)?.0.to_vec::<i32>()?, [1, 3, 5]);
    let unsigned = Tensor::from_slice(&device, &[5u16, 1, 3], 3)?;
    assert_eq!(unsigned.topk(2, 0)?.0.to_vec::<u16>()?, [5, 3]);
    assert_eq!(unsigned.kth_value(2, 0)?.0.item::<u16>()?, 3);
    let boundaries = Tensor::from_slice(&device, &[2.0f32, 4.0], 2)?;
    assert_eq!(whole.bucketize(&boundaries)?.to_vec::<i64>()?, [2, 0, 1]);
    assert_eq!(whole.median()?.item::<i32>()?, 3);
    assert_eq!(whole.unique()?.to_vec::<i32>()?, [1, 3, 5]);
    Ok(())
}
