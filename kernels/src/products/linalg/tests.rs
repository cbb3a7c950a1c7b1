//! Factors of matrices that are larger than a block, by what they are when they are multiplied.

use num_complex::Complex;

use super::blocks::WIDTH;
use super::field::Field;
use super::triangular::{Triangle, solve};
use super::{Parts, cholesky, lu, qr};
use crate::products::matrix::Matrix;

const LARGE: usize = 2 * WIDTH + 7;

fn random<T: Field>(count: usize, number: impl Fn(&mut dyn FnMut() -> f64) -> T) -> Vec<T> {
    let mut random = fastrand::Rng::with_seed(3);
    let mut one = || 2.0 * random.f64() - 1.0;
    (0..count).map(|_| number(&mut one)).collect()
}

fn product<T: Field>(left: Matrix<'_, T>, right: Matrix<'_, T>, [m, k, n]: [usize; 3]) -> Vec<T> {
    let sum = |row: usize, column: usize| {
        let products =
            (0..k).map(|at| left.from([row, at]).elements[0] * right.from([at, column]).elements[0]);
        products.fold(T::zeroed(), |sum, one| sum + one)
    };
    (0..m * n).map(|index| sum(index / n, index % n)).collect()
}

fn identity<T: Field>(n: usize) -> Vec<T> {
    (0..n * n).map(|index| T::real(f64::from(u8::from(index % (n + 1) == 0)))).collect()
}

#[track_caller]
fn assert_near<T: Field>(found: &[T], expected: &[T], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        let difference = (*found - *expected).modulus();
        assert!(difference < tolerance, "off by {difference}");
    }
}

fn inverses_and_determinants<T: Field>(number: impl Fn(&mut dyn FnMut() -> f64) -> T) {
    let n = LARGE;
    let matrix = random(n * n, number);
    let mut inverse = vec![T::zeroed(); n * n];
    lu::inverse(0, &matrix, &mut inverse, n).expect("it is not singular");
    assert_near(&product(Matrix::rows(&matrix, n), Matrix::rows(&inverse, n), [n; 3]), &identity(n), 1e-11);

    let mut triangle = vec![T::zeroed(); n * n];
    qr::qr(&matrix, [n, n], Parts::Triangle, &mut [bytemuck::cast_slice_mut(&mut triangle)]).expect("memory");
    let expected: f64 = triangle.iter().step_by(n + 1).map(|element| element.modulus().ln()).sum();
    let (sign, logarithm) = lu::determinant(&matrix, n).expect("memory");
    assert!((sign.modulus() - 1.0).abs() < 1e-13);
    assert_near(&[logarithm], &[T::real(expected)], 1e-11);
    let mut turned = matrix.clone();
    turned[..2 * n].rotate_left(n);
    assert_near(&[lu::determinant(&turned, n).expect("memory").0], &[-sign], 1e-12);
}

#[test]
fn large_matrices_have_inverses_and_determinants() {
    inverses_and_determinants(|one| one());
    inverses_and_determinants(|one| Complex::new(one(), one()));
}

fn triangles<T: Field>(number: impl Fn(&mut dyn FnMut() -> f64) -> T) {
    for [m, n] in [[LARGE, LARGE], [LARGE, WIDTH + 1], [WIDTH + 1, LARGE]] {
        for (parts, k) in [(Parts::Reduced, m.min(n)), (Parts::Complete, m)] {
            let matrix = random(m * n, &number);
            let (mut q, mut r) = (vec![T::zeroed(); m * k], vec![T::zeroed(); k * n]);
            let mut outputs = [bytemuck::cast_slice_mut(&mut q), bytemuck::cast_slice_mut(&mut r)];
            qr::qr(&matrix, [m, n], parts, &mut outputs).expect("memory");
            let found = product(Matrix::rows(&q, k), Matrix::rows(&r, n), [m, k, n]);
            assert_near(&found, &matrix, 1e-13);
            let conjugated: Vec<T> = q.iter().map(|element| element.conjugate()).collect();
            let found = product(Matrix::rows(&conjugated, k).transposed(), Matrix::rows(&q, k), [k, m, k]);
            assert_near(&found, &identity(k), 1e-13);
            assert!((0..k).all(|row| r[row * n..][..row.min(n)].iter().all(|zero| *zero == T::zeroed())));
        }
    }
}

#[test]
fn large_matrices_are_products_of_orthogonal_ones_and_triangles() {
    triangles(|one| one());
    triangles(|one| Complex::new(one(), one()));
}

#[test]
fn large_triangles_are_solved_from_either_side() {
    const COLUMNS: usize = 3;
    let n = LARGE;
    let mut matrix = random(n * n, |one| one());
    matrix.iter_mut().step_by(n + 1).for_each(|element| *element = n as f64);
    let sides = random(n * COLUMNS, |one| one());
    for (is_upper, is_transposed) in [(false, false), (false, true), (true, false), (true, true)] {
        let mut found = sides.clone();
        solve(Triangle { n, is_upper, is_transposed, has_ones: false }, &matrix, &mut found, COLUMNS);
        let mut triangle = matrix.clone();
        for (index, element) in triangle.iter_mut().enumerate() {
            let (row, column) = (index / n, index % n);
            if (is_upper && column < row) || (!is_upper && column > row) {
                *element = 0.0;
            }
        }
        let triangle = Matrix::rows(&triangle, n);
        let triangle = if is_transposed { triangle.transposed() } else { triangle };
        assert_near(&product(triangle, Matrix::rows(&found, COLUMNS), [n, n, COLUMNS]), &sides, 1e-13);
    }
}

#[test]
fn large_positive_matrices_are_products_of_a_triangle_and_its_transpose() {
    let n = LARGE;
    let root = random(n * n, |one| one());
    let root = Matrix::rows(&root, n);
    let mut matrix = product(root, root.transposed(), [n; 3]);
    matrix.iter_mut().step_by(n + 1).for_each(|element| *element += 1.0);
    for is_upper in [false, true] {
        let mut half = matrix.clone();
        for (index, element) in half.iter_mut().enumerate() {
            // The upper half is not read.
            if index % n > index / n {
                *element = f64::NAN;
            }
        }
        let mut found = vec![0.0; n * n];
        cholesky::cholesky(0, &half, &mut found, n, is_upper).expect("it is positive");
        let found = Matrix::rows(&found, n);
        let lower = if is_upper { found.transposed() } else { found };
        assert_near(&product(lower, lower.transposed(), [n; 3]), &matrix, 1e-12);
        let zeros = (0..n * n).filter(|index| index % n > index / n);
        assert!(zeros.into_iter().all(|index| lower.from([index / n, index % n]).elements[0] == 0.0));
    }
}
