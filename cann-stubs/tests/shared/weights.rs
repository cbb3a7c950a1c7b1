//! Weights in the layout FRACTAL_NZ: how large they are, and products with them. The emulator keeps those that it turns into
//! weights as they are, so the products are those with the same matrices in plain descriptors, which golden cases check. Where
//! the sizes of the storage are those of blocks, elements lie in blocks.

use std::ptr;

use aclnn_numerics::DType::{F16, F32, I4, I8, I32};
use aclnn_numerics::f16;
use aclnn_sys::operators::Argument;
use aclnn_sys::{ACL_FORMAT_FRACTAL_NZ, ACL_FORMAT_ND, aclDataType, aclFormat, aclTensor};

use crate::support::calls::run;
use crate::support::*;

const SIZES: [i64; 2] = [4, 6];

/// A matrix with strides and a storage format.
fn matrix(
    memory: *mut std::ffi::c_void,
    dims: [i64; 2],
    strides: [i64; 2],
    format: aclFormat,
) -> *mut aclTensor {
    let storage = [SIZES[0] * SIZES[1]];
    let half = aclDataType(F16.acl_code().unwrap());
    // SAFETY: the arrays have the given lengths, the memory the given elements.
    unsafe {
        EMULATOR.meta.aclCreateTensor(
            dims.as_ptr(),
            2,
            half,
            strides.as_ptr(),
            0,
            format,
            storage.as_ptr(),
            1,
            memory,
        )
    }
    .expect("the emulator makes tensors")
}

#[test]
fn a_weight_is_multiplied_as_the_same_matrix_in_plain_format() {
    device();
    let numbers = |count: usize| -> Vec<f16> {
        (0..count).map(|index| f16::from_f32((index % 7) as f32 - 3.0)).collect()
    };
    let (a, b, out) = (malloc(3 * 4 * 2), malloc(4 * 6 * 2), malloc(3 * 6 * 4));
    write(a, &numbers(12));
    write(b, &numbers(24));
    let (left, result) = (tensor(F16, &[3, 4], a), tensor(F32, &[3, 6], out));
    let mut results = Vec::new();
    for (format, name) in
        [(ACL_FORMAT_ND, "Mm"), (ACL_FORMAT_FRACTAL_NZ, "Mm"), (ACL_FORMAT_FRACTAL_NZ, "MatmulWeightNz")]
    {
        let weight = matrix(b, SIZES, [6, 1], format);
        let operators = &EMULATOR.operators;
        // SAFETY: handles of the emulator.
        let planned = plan(|size, executor| unsafe {
            match name {
                "Mm" => operators.Mm().unwrap().get_workspace_size(left, weight, result, 0, size, executor),
                _ => operators
                    .MatmulWeightNz()
                    .unwrap()
                    .get_workspace_size(left, weight, result, 0, size, executor),
            }
        });
        assert_eq!(planned.code, 0, "{}", planned.message);
        let memory = malloc(planned.workspace.max(1) as usize);
        // SAFETY: as above; null is the default stream.
        let code = unsafe {
            match name {
                "Mm" => operators.Mm().unwrap().launch(
                    memory,
                    planned.workspace,
                    planned.executor,
                    ptr::null_mut(),
                ),
                _ => operators.MatmulWeightNz().unwrap().launch(
                    memory,
                    planned.workspace,
                    planned.executor,
                    ptr::null_mut(),
                ),
            }
        };
        assert_eq!(code, 0, "{}", message());
        // SAFETY: null is the default stream.
        ok(unsafe { EMULATOR.runtime.aclrtSynchronizeStream(ptr::null_mut()) });
        results.push(read::<f32>(out, 18));
    }
    assert!(results[0].iter().any(|element| *element != 0.0));
    assert!(results.iter().all(|result| *result == results[0]));
}

/// The layout of the operator that arranges a weight is its own affair, so the products are those of the weight before. They
/// are whole numbers, which f32 holds, summed in integers here.
#[test]
fn an_arranged_weight_is_multiplied_as_it_was_before() {
    device();
    let numbers = |count: usize| -> Vec<i64> { (0..count as i64).map(|index| index * 5 % 7 - 3).collect() };
    let halves = |numbers: &[i64]| -> Vec<f16> {
        numbers.iter().map(|number| f16::from_f32(*number as f32)).collect()
    };
    let (left, right) = (numbers(12), numbers(24));
    let expected: Vec<f32> = (0..18)
        .map(|place| {
            let (row, column) = (place / 6, place % 6);
            (0..4).map(|along| left[row * 4 + along] * right[along * 6 + column]).sum::<i64>() as f32
        })
        .collect();
    for format in [ACL_FORMAT_ND, ACL_FORMAT_FRACTAL_NZ] {
        let (a, b, out) = (malloc(3 * 4 * 2), malloc(4 * 6 * 2), malloc(3 * 6 * 4));
        write(a, &halves(&left));
        write(b, &halves(&right));
        run("TransMatmulWeight", &[Argument::Tensor(matrix(b, SIZES, [6, 1], ACL_FORMAT_ND))]);
        let weight = matrix(b, SIZES, [6, 1], format);
        let (own, out_tensor) = (tensor(F16, &[3, 4], a), tensor(F32, &[3, 6], out));
        let arguments = [own, weight, out_tensor].map(Argument::Tensor);
        run("MatmulWeightNz", &[&arguments[..], &[Argument::Int(0)]].concat());
        assert_eq!(read::<f32>(out, 18), expected, "{format:?}");
    }
}

/// The last two sizes are rounded up to 16 and, for types of a byte, to 32.
#[test]
fn sizes_of_weights_are_counted_in_elements() {
    type Size = unsafe extern "C" fn(*const aclnn_sys::aclIntArray, aclDataType, *mut u64) -> i32;
    let source = cann_stubs::source();
    let function =
        aclnn_sys::SymbolSource::symbol(&source, "aclnnCalculateMatmulWeightSizeV2").expect("it is there");
    // SAFETY: the prototype is that of the header.
    let size_of: Size = unsafe { std::mem::transmute(function.as_ptr()) };
    for (sizes, code, expected) in [
        (&[16i64, 16][..], 1, Ok(256)),
        (&[17, 1], 1, Ok(32 * 16)),
        (&[3, 17, 33], 2, Ok(3 * 32 * 64)),
        (&[5], 1, Err(161002)),
        (&[0, 4], 1, Err(161002)),
    ] {
        let mut size = 0;
        // SAFETY: the array and the place are valid.
        let found = unsafe {
            let array =
                EMULATOR.meta.aclCreateIntArray(sizes.as_ptr(), sizes.len() as u64).expect("an array");
            match size_of(array, aclDataType(code), &mut size) {
                0 => Ok(size),
                code => Err(code),
            }
        };
        assert_eq!(found, expected, "{sizes:?}");
    }
}

/// The reference is the product of whole numbers, of blocks that are filled by the definition of the format.
#[test]
fn a_weight_that_lies_in_blocks_is_multiplied_as_the_plain_matrix() {
    const ROWS: usize = 20;
    const COLUMNS: usize = 11;
    device();
    let numbers =
        |count: usize| -> Vec<f32> { (0..count).map(|index| (index * 5 % 7) as f32 - 3.0).collect() };
    let (a, b) = (numbers(3 * ROWS), numbers(ROWS * COLUMNS));
    let mut blocks = vec![f32::NAN; 2 * 2 * 16 * 8];
    for (index, value) in b.iter().enumerate() {
        let (row, column) = (index / COLUMNS, index % COLUMNS);
        blocks[((column / 8 * 2 + row / 16) * 16 + row % 16) * 8 + column % 8] = *value;
    }
    let mut expected = vec![0.0; 3 * COLUMNS];
    for (index, sum) in expected.iter_mut().enumerate() {
        *sum = (0..ROWS).map(|k| a[index / COLUMNS * ROWS + k] * b[k * COLUMNS + index % COLUMNS]).sum();
    }
    let [left, right, out] = [a.len(), blocks.len(), expected.len()].map(|count| malloc(count * 4));
    write(left, &a);
    write(right, &blocks);
    let weight = |dims: [i64; 2], strides: [i64; 2]| {
        formatted(ACL_FORMAT_FRACTAL_NZ, F32, &dims, Some(&strides), 0, &[2, 2, 16, 8], right)
    };
    let (rows, columns) = (ROWS as i64, COLUMNS as i64);
    let plain = weight([rows, columns], [columns, 1]);
    run(
        "Mm",
        &[
            Argument::Tensor(tensor(F32, &[3, rows], left)),
            Argument::Tensor(plain),
            Argument::Tensor(tensor(F32, &[3, columns], out)),
            Argument::Int(0),
        ],
    );
    assert_eq!(read::<f32>(out, expected.len()), expected);
    // The same weight, whose view has rows for columns, in a transposed product.
    let turned = malloc(expected.len() * 4);
    run(
        "Matmul",
        &[
            Argument::Tensor(strided(F32, &[3, rows], None, 0, &[3, rows], left)),
            Argument::Tensor(weight([rows, columns], [columns, 1])),
            Argument::Tensor(strided(F32, &[3, columns], Some(&[1, 3]), 0, &[columns, 3], turned)),
            Argument::Int(0),
        ],
    );
    let by_columns: Vec<f32> =
        (0..expected.len()).map(|index| expected[index % 3 * COLUMNS + index / 3]).collect();
    assert_eq!(read::<f32>(turned, expected.len()), by_columns);
    // A part of it, and a result in blocks, are refused.
    let other = malloc(ROWS * COLUMNS * 4);
    let outside = tensor(F32, &[4, columns], other);
    for [own, to] in
        [[weight([4, columns], [columns, 1]), outside], [tensor(F32, &[rows, columns], other), plain]]
    {
        let abs = EMULATOR.operators.Abs().expect("declared");
        // SAFETY: handles of the emulator.
        let planned = plan(|size, executor| unsafe { abs.get_workspace_size(own, to, size, executor) });
        assert_eq!(planned.code, aclnn_sys::ACLNN_ERR_INNER_FIND_KERNEL_ERROR, "{}", planned.message);
    }
}

/// The references are the sizes of each format: blocks of 16 rows or filters, and of 32 bytes of columns or channels.
#[test]
fn sizes_and_formats_of_casts() {
    type Size = unsafe extern "C" fn(*const aclTensor, i32, i32, *mut *mut i64, *mut u64, *mut i32) -> i32;
    device();
    let source = cann_stubs::source();
    let function = aclnn_sys::SymbolSource::symbol(&source, "aclnnNpuFormatCastCalculateSizeAndFormat");
    // SAFETY: the prototype is that of the header.
    let size_of: Size = unsafe { std::mem::transmute(function.expect("it is there").as_ptr()) };
    let formats = [ACL_FORMAT_ND, aclFormat(0), aclFormat(30)];
    let [plain, images, volumes] = formats;
    for (format, dtype, dims, to, expected) in [
        (plain, F16, &[2_i64, 17, 33][..], 29, Ok(&[2_i64, 3, 2, 16, 16][..])),
        (plain, F32, &[3, 5], 29, Ok(&[1, 1, 16, 8])),
        (images, F16, &[2, 19, 3, 5], 3, Ok(&[2, 2, 3, 5, 16])),
        (images, F32, &[20, 19, 3, 3], 4, Ok(&[27, 2, 16, 8])),
        (volumes, F16, &[20, 19, 2, 3, 3], 33, Ok(&[36, 2, 16, 16])),
        (ACL_FORMAT_FRACTAL_NZ, F16, &[17, 33], 2, Ok(&[17, 33])),
        (plain, aclnn_numerics::DType::F8E4M3FN, &[17, 33], 29, Ok(&[2, 2, 16, 32])),
        (images, F16, &[2, 19, 3, 5], 29, Ok(&[2, 19, 1, 1, 16, 16])),
        (plain, F16, &[17, 33], 3, Err(361_001)),
        (plain, F16, &[0, 33], 29, Err(361_001)),
        (plain, aclnn_numerics::DType::F64, &[17, 33], 29, Err(161_002)),
    ] {
        let tensor = formatted(format, dtype, dims, None, 0, dims, ptr::null_mut());
        let (mut sizes, mut count, mut actual) = (ptr::null_mut(), 0, -1);
        // SAFETY: the tensor is the emulator's, and the places are valid.
        let code = unsafe { size_of(tensor, to, -1, &mut sizes, &mut count, &mut actual) };
        match expected {
            Err(expected) => assert_eq!(code, expected, "{dims:?}"),
            Ok(expected) => {
                assert_eq!((code, actual), (0, to), "{}", message());
                // SAFETY: the function has made an array of so many sizes.
                assert_eq!(unsafe { std::slice::from_raw_parts(sizes, count as usize) }, expected);
                // SAFETY: it is memory of C, and not used again.
                unsafe { libc::free(sizes.cast()) };
            }
        }
    }
    let tensor = formatted(images, F16, &[2, 19, 3, 5], None, 0, &[2, 19, 3, 5], ptr::null_mut());
    let (mut sizes, mut count, mut actual) = (ptr::null_mut(), 0, -1);
    // SAFETY: the tensor is the emulator's, and the places are valid.
    let code =
        unsafe { size_of(tensor, 29, F32.acl_code().unwrap_or(-2), &mut sizes, &mut count, &mut actual) };
    assert_eq!(code, 361_001, "an image has another type in fractals");
}

/// The reference is the sum of products of whole numbers, of blocks of 16 rows and 32 columns.
#[test]
fn weights_of_pairs_that_lie_in_blocks_are_multiplied_as_plain_ones() {
    const PAIRS: usize = 2;
    const ROWS: usize = 20;
    const COLUMNS: usize = 40;
    device();
    let numbers = |count: usize| -> Vec<i8> { (0..count).map(|index| (index * 5 % 7) as i8 - 3).collect() };
    let (a, b) = (numbers(PAIRS * 3 * ROWS), numbers(PAIRS * ROWS * COLUMNS));
    let mut blocks = vec![100_i8; PAIRS * 2 * 2 * 16 * 32];
    for (index, value) in b.iter().enumerate() {
        let (pair, row, column) = (index / COLUMNS / ROWS, index / COLUMNS % ROWS, index % COLUMNS);
        let block = (pair * 2 + column / 32) * 2 + row / 16;
        blocks[(block * 16 + row % 16) * 32 + column % 32] = *value;
    }
    let expected: Vec<f16> = (0..3 * COLUMNS)
        .map(|index| {
            let (row, column) = (index / COLUMNS, index % COLUMNS);
            let of_pair = |pair: usize| -> i32 {
                let left = &a[(pair * 3 + row) * ROWS..];
                (0..ROWS)
                    .map(|k| i32::from(left[k]) * i32::from(b[(pair * ROWS + k) * COLUMNS + column]))
                    .sum()
            };
            f16::from_f32((0..PAIRS).map(of_pair).sum::<i32>() as f32)
        })
        .collect();
    let [left, right] = [a.len(), blocks.len()].map(malloc);
    write(left, &a);
    write(right, &blocks);
    let (of_rows, scale, out) = (malloc(PAIRS * 3 * 4), malloc(COLUMNS * 4), malloc(expected.len() * 2));
    write(of_rows, &[1.0_f32; PAIRS * 3]);
    write(scale, &[1.0_f32; COLUMNS]);
    let dims = [PAIRS as i64, ROWS as i64, COLUMNS as i64];
    let weight = formatted(ACL_FORMAT_FRACTAL_NZ, I8, &dims, None, 0, &[2, 2, 2, 16, 32], right);
    // SAFETY: the array has one number.
    let axes = unsafe { EMULATOR.meta.aclCreateIntArray([0].as_ptr(), 1) }.expect("declared");
    let mut arguments = vec![
        Argument::Tensor(tensor(I8, &[2, 3, 20], left)),
        Argument::Tensor(weight),
        Argument::Tensor(tensor(F32, &[2, 3], of_rows)),
        Argument::Tensor(tensor(F32, &[40], scale)),
    ];
    arguments.extend([(); 5].map(|()| Argument::Tensor(ptr::null_mut())));
    arguments.extend([Argument::Bool(false), Argument::Bool(false), Argument::Int(0), Argument::Ints(axes)]);
    arguments.extend([Argument::Bool(false), Argument::Tensor(tensor(F16, &[3, 40], out))]);
    run("QuantMatmulReduceSumWeightNz", &arguments);
    assert_eq!(read::<f16>(out, expected.len()), expected);
}

/// Phase one packs, and leaves both places as they are; phase two does nothing, whatever it gets. A block of FRACTAL_NZ has 16
/// rows of 64 columns, so that column 64 begins the second one.
#[test]
fn codes_of_four_bits_are_packed_by_phase_one() {
    device();
    let (rows, columns) = (2, 72);
    let numbers: Vec<i32> = (0..rows * columns).map(|index| index as i32 % 16 - 8).collect();
    let low = |index: usize| (numbers[index] & 15) as u8;
    let byte = |index: usize| low(index) | low(index + 1) << 4;
    let weight = malloc(numbers.len() * 4);
    write(weight, &numbers);
    let own = tensor(I32, &[2, 72], weight);
    let blocks = [2, 1, 16, 64];
    for (format, dtype, dims, storage) in [
        (ACL_FORMAT_ND, I4, [2, 72], &[2_i64, 72][..]),
        (ACL_FORMAT_FRACTAL_NZ, I4, [2, 72], &blocks[..]),
        (ACL_FORMAT_FRACTAL_NZ, I32, [2, 9], &[2, 1, 16, 8][..]),
    ] {
        let is_nz = format == ACL_FORMAT_FRACTAL_NZ;
        let mut expected = vec![0_u8; if is_nz { 2 * 16 * 32 } else { rows * columns / 2 }];
        for index in (0..rows * columns).step_by(2) {
            let (row, column) = (index / columns, index % columns);
            let place = if is_nz { (column / 64 * 16 + row) * 32 + column % 64 / 2 } else { index / 2 };
            expected[place] = byte(index);
        }
        let memory = malloc(expected.len());
        write(memory, &vec![0xA5_u8; expected.len()]);
        let packed = formatted(format, dtype, &dims, None, 0, storage, memory);
        let (mut size, mut executor) = (77, std::ptr::without_provenance_mut(1));
        let operator = EMULATOR.operators.ConvertWeightToINT4Pack().unwrap();
        // SAFETY: handles of the emulator, and places of this test.
        let code = unsafe { operator.get_workspace_size(own, packed, &mut size, &mut executor) };
        assert_eq!(code, 0);
        assert_eq!((size, executor.addr()), (77, 1));
        assert_eq!(read::<u8>(memory, expected.len()), expected, "{dims:?} in {storage:?}");
        write(memory, &vec![0xA5_u8; expected.len()]);
        // SAFETY: phase two looks at nothing.
        let code = unsafe { operator.launch(ptr::null_mut(), size, executor, ptr::null_mut()) };
        assert_eq!(code, 0);
        assert!(read::<u8>(memory, expected.len()).iter().all(|byte| *byte == 0xA5));
    }
}
