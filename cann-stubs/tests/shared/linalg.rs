//! Linear algebra beside the golden cases: factors with free signs, by what they are when they are multiplied, and matrices
//! that have no result.

use std::ptr;

use aclnn_numerics::Complex;
use aclnn_numerics::DType::{self, C128, F16, F32, F64};
use aclnn_sys::operators::Argument as Passed;
use aclnn_sys::{ACL_ERROR_RT_AICPU_EXCEPTION, ACLNN_ERR_PARAM_INVALID, aclTensor};

use crate::support::random::Random;
use crate::support::runtime::{call, create_stream};
use crate::support::*;
use crate::support::{calls, cases};

type Number = Complex<f64>;

/// The product of a matrix, whose columns may be scaled, and a conjugated and transposed one, both by rows.
fn product(a: &[Number], scales: Option<&[Number]>, b: &[Number], columns: usize) -> Vec<Number> {
    let dot = |a: &[Number], b: &[Number]| -> Number {
        let scale = |index: usize| {
            scales.map_or(Number::new(1.0, 0.0), |scales| scales.get(index).copied().unwrap_or_default())
        };
        a.iter().zip(b).enumerate().map(|(index, (a, b))| a * scale(index) * b.conj()).sum()
    };
    a.chunks(columns).flat_map(|a| b.chunks(columns).map(move |b| dot(a, b))).collect()
}

fn transposed(a: &[Number], columns: usize) -> Vec<Number> {
    (0..columns).flat_map(|column| a.iter().skip(column).step_by(columns).map(|one| one.conj())).collect()
}

fn assert_near(got: &[Number], expected: &[Number], what: &str) {
    assert_eq!(got.len(), expected.len(), "{what}");
    let worst = got.iter().zip(expected).map(|(got, expected)| (got - expected).norm()).fold(0.0, f64::max);
    assert!(worst < 1e-13, "{what}: off by {worst}");
}

fn identity(size: usize) -> Vec<Number> {
    (0..size * size).map(|index| Number::new(f64::from(u8::from(index % (size + 1) == 0)), 0.0)).collect()
}

/// Singular vectors may have any phase, and those of equal values any direction, so that only products tell.
#[test]
fn singular_values_and_vectors_multiply_to_the_matrix_and_vectors_are_orthonormal() {
    let _device = Device::set();
    let mut random = Random(5);
    let svd = EMULATOR.operators.Svd().expect("declared");
    for [m, n] in [[1, 1], [3, 3], [6, 4], [4, 6], [1, 5], [9, 9], [40, 35], [35, 40]] {
        // As many columns of zeros or copies as make the rank smaller.
        for deficit in [0, 1, 2] {
            let mut number = || (random.below(2001) as f64 - 1000.0) / 500.0;
            let mut matrix: Vec<Number> = (0..m * n).map(|_| Number::new(number(), number())).collect();
            for row in matrix.chunks_mut(n) {
                match deficit {
                    1 => row[n - 1] = row[0],
                    2 => row.fill(Number::default()),
                    _ => {}
                }
            }
            for is_full in [false, true] {
                let what = format!("{m} × {n}, deficit {deficit}, full {is_full}");
                let k = m.min(n);
                let [p, q] = if is_full { [m, n] } else { [k, k] };
                let sizes = [[m, n].to_vec(), vec![k], vec![m, p], vec![n, q]];
                let places: Vec<_> =
                    sizes.iter().map(|dims| malloc(dims.iter().product::<usize>() * 16)).collect();
                write(places[0], &matrix);
                let tensors: Vec<*mut aclTensor> = sizes
                    .iter()
                    .zip(&places)
                    .map(|(dims, place)| {
                        let dims: Vec<i64> = dims.iter().map(|size| *size as i64).collect();
                        tensor(C128, &dims, *place)
                    })
                    .collect();
                // SAFETY: the handles are the emulator's; the places are valid.
                let planned = plan(|size, executor| unsafe {
                    svd.get_workspace_size(
                        tensors[0], is_full, true, tensors[1], tensors[2], tensors[3], size, executor,
                    )
                });
                assert_eq!((planned.code, planned.workspace), (0, 0), "{}", planned.message);
                // SAFETY: of this operator; null is the default stream.
                let code = unsafe { svd.launch(ptr::null_mut(), 0, planned.executor, ptr::null_mut()) };
                assert_eq!(code, 0, "{}", message());
                assert_eq!(call!(aclrtSynchronizeStream(ptr::null_mut())), 0);
                let sigma: Vec<Number> = read(places[1], k);
                let (u, v): (Vec<Number>, Vec<Number>) = (read(places[2], m * p), read(places[3], n * q));
                assert!(sigma.is_sorted_by(|a, b| a.re >= b.re && b.re >= 0.0), "{what}: {sigma:?}");
                let [left, right] = [(&u, p), (&v, q)].map(|(vectors, columns)| -> Vec<Number> {
                    vectors.chunks(columns).flat_map(|row| row[..k].to_vec()).collect()
                });
                assert_near(&product(&left, Some(&sigma), &right, k), &matrix, &what);
                for (vectors, columns, rows) in [(&u, p, m), (&v, q, n)] {
                    let turned = transposed(vectors, columns);
                    assert_near(&product(&turned, None, &turned, rows), &identity(columns), &what);
                }
            }
        }
    }
}

/// PyTorch refuses these matrices on a CPU, too.
#[test]
fn matrices_without_a_result_fail_the_stream_and_the_message_names_them() {
    let _device = Device::set();
    let operators = &EMULATOR.operators;
    let good = [2.0_f32, 1.0, 1.0, 2.0];
    let cases: [(&str, DType, [f32; 4], &str); 5] = [
        ("Inverse", F32, [1.0, 2.0, 2.0, 4.0], "matrix 1 is singular"),
        ("Inverse", F32, [0.0; 4], "matrix 1 is singular"),
        ("LinalgCholesky", F32, [1.0, 2.0, 2.0, 1.0], "matrix 1 is not positive-definite"),
        ("LinalgCholesky", F32, [f32::NAN, 0.0, 0.0, 1.0], "matrix 1 is not positive-definite"),
        ("Svd", F32, [1.0, f32::INFINITY, 0.0, 1.0], "matrix 1 has elements that are not finite"),
    ];
    for (name, dtype, bad, reason) in cases {
        let [own, out, sigma] = [0; 3].map(|_| malloc(32));
        write(own, &[good, bad].concat());
        let [own, out] = [own, out].map(|memory| tensor(dtype, &[2, 2, 2], memory));
        let sigma = tensor(dtype, &[2, 2], sigma);
        // SAFETY: the handles are the emulator's; the places are valid.
        let planned = plan(|size, executor| unsafe {
            match name {
                "Inverse" => operators.Inverse().unwrap().get_workspace_size(own, out, size, executor),
                "Svd" => operators
                    .Svd()
                    .unwrap()
                    .get_workspace_size(own, true, false, sigma, out, out, size, executor),
                _ => operators.LinalgCholesky().unwrap().get_workspace_size(own, false, out, size, executor),
            }
        });
        assert_eq!((planned.code, planned.workspace), (0, 0), "{name}: {}", planned.message);
        let stream = create_stream();
        let launch = operators.by_name(name).unwrap().unwrap().launcher();
        // SAFETY: of this operator.
        assert_eq!(unsafe { launch(ptr::null_mut(), 0, planned.executor, stream) }, 0, "{}", message());
        assert_eq!(call!(aclrtSynchronizeStream(stream)), ACL_ERROR_RT_AICPU_EXCEPTION, "{name} {bad:?}");
        assert!(message().contains(reason), "{}", message());
        call!(aclrtDestroyStream(stream));
    }
}

/// A factor of f16 is computed in f32 on a device, so that what is converted needs workspace there.
#[test]
fn converted_matrices_need_workspace() {
    let _device = Device::set();
    let operator = EMULATOR.operators.Inverse().expect("declared");
    let workspace = |dtype| {
        let tensor = tensor(dtype, &[4, 4], malloc(128));
        // SAFETY: the handles are the emulator's; the places are valid.
        let planned =
            plan(|size, executor| unsafe { operator.get_workspace_size(tensor, tensor, size, executor) });
        assert_eq!(planned.code, 0, "{}", planned.message);
        planned.workspace
    };
    assert_eq!([F32, F64].map(workspace), [0, 0]);
    assert!(workspace(F16) > 0);
}

/// Expected are the sums of products that the letters stand for, of small integers.
#[test]
fn equations_have_any_letters_in_their_order() {
    let _device = Device::set();
    let einsum =
        |equation: &std::ffi::CStr, operands: [(&[i64], &[f32]); 2], (dims, len): (&[i64], usize)| {
            let tensors = operands.map(|(dims, numbers)| tensor(F32, dims, calls::memory(numbers)));
            let to = calls::memory(&vec![-1.0; len]);
            let arguments = [
                Passed::Tensors(calls::list(&tensors)),
                Passed::Text(equation.as_ptr().cast_mut()),
                Passed::Tensor(tensor(F32, dims, to)),
            ];
            let called = cases::call("Einsum", &arguments);
            (called.code, read::<f32>(to, len))
        };
    let (few, many): (Vec<f32>, Vec<f32>) =
        ((1..=4).map(|number| number as f32).collect(), (1..=12).map(|number| number as f32).collect());
    let columns = (&[1_i64, 1, 2, 2][..], &few[..]);
    let matrices = (&[1_i64, 1, 2, 3, 2][..], &many[..]);
    // Each row of two is multiplied with three others: 1·1 + 2·2, 1·3 + 2·4, …
    let products = vec![5.0, 11.0, 17.0, 53.0, 67.0, 81.0];
    for equation in [c"abcd,abced->abce", c"bhqd,bhqkd->bhqk", c"ZYXW,ZYXVW->ZYXV"] {
        let found = einsum(equation, [columns, matrices], (&[1, 1, 2, 3], 6));
        assert_eq!(found, (0, products.clone()), "{equation:?}");
    }
    let (one, other) = ((&[2_i64][..], &few[..2]), (&[3_i64][..], &many[..3]));
    for equation in [c"a,b->ab", c"i,j->ij", c"j,i->ji"] {
        let found = einsum(equation, [one, other], (&[2, 3], 6));
        assert_eq!(found, (0, vec![1.0, 2.0, 3.0, 2.0, 4.0, 6.0]), "{equation:?}");
    }
    // Other orders, and spaces.
    for equation in [c"i,j->ji", c"i, j->ij", c"i,i->ii"] {
        let found = einsum(equation, [one, other], (&[2, 3], 6));
        assert_eq!(found, (ACLNN_ERR_PARAM_INVALID, vec![-1.0; 6]), "{equation:?}");
    }
    for equation in [c"bhqd,bhkqd->bhqk", c"abcd,abced->abec"] {
        let found = einsum(equation, [columns, matrices], (&[1, 1, 2, 3], 6));
        assert_eq!(found, (ACLNN_ERR_PARAM_INVALID, vec![-1.0; 6]), "{equation:?}");
    }
}
