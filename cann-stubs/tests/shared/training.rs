//! A network that learns, by the calls that PyTorch's plugin makes for it: operators one after the other, each with what the
//! one before computed. `xtask/golden/training.py` makes the expected numbers with PyTorch.

use std::ffi::c_void;

use aclnn_numerics::DType::{F32, I64};
use aclnn_sys::operators::Argument;
use aclnn_sys::*;

use crate::support::calls::{list, memory, run};
use crate::support::{Device, EMULATOR, malloc, read, scalar, strided, tensor, write};

/// The numbers of a file, taken from its front.
struct Numbers(Vec<f32>);

impl Numbers {
    fn read() -> Self {
        let (words, rest) = include_bytes!("../data/training.bin").as_chunks();
        assert!(rest.is_empty());
        Self(words.iter().map(|word| f32::from_le_bytes(*word)).collect())
    }

    fn take(&mut self, count: usize) -> Vec<f32> {
        self.0.drain(..count).collect()
    }
}

/// A matrix in device memory.
#[derive(Clone, Copy)]
struct Matrix {
    place: *mut c_void,
    dims: [i64; 2],
}

impl Matrix {
    fn new(values: &[f32], dims: [i64; 2]) -> Self {
        Self { place: memory(values), dims }
    }

    fn empty(dims: [i64; 2]) -> Self {
        Self { place: malloc((dims[0] * dims[1] * 4) as usize), dims }
    }

    fn own(self) -> Argument {
        Argument::Tensor(tensor(F32, &self.dims, self.place))
    }

    /// The elements with rows for columns, as a view.
    fn turned(self) -> Argument {
        let [rows, columns] = self.dims;
        let view = strided(F32, &[columns, rows], Some(&[1, columns]), 0, &[rows * columns], self.place);
        Argument::Tensor(view)
    }

    /// The elements of a matrix with one row.
    fn row(self) -> Argument {
        Argument::Tensor(tensor(F32, &self.dims[1..], self.place))
    }
}

fn same(found: &[f32], expected: &[f32]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        // Some units in the last place for each step, as sums are added up in another order.
        assert!((found - expected).abs() <= 1e-6 * expected.abs().max(1.0), "{found} {expected}");
    }
}

#[test]
fn steps_of_a_perceptron_as_a_plugin_calls_them_have_the_numbers_of_pytorch() {
    let _device = Device::set();
    let mut file = Numbers::read();
    let mut next = |dims: [i64; 2]| Matrix::new(&file.take((dims[0] * dims[1]) as usize), dims);
    let params = [[4, 3], [1, 4], [2, 4], [1, 2]].map(&mut next);
    let x = next([5, 3]);
    let [first, first_bias, second, second_bias] = params;
    let target = malloc(5 * 8);
    write(target, &[0_i64, 1, 0, 1, 1]);
    let labels = Argument::Tensor(tensor(I64, &[5], target));

    let one = Argument::Scalar(scalar(1.0_f32));
    let single = |matrix: Matrix| Argument::Tensor(tensor(F32, &[], matrix.place));
    let axes = [0_i64];
    // SAFETY: the array has the length that is passed.
    let first_axis = unsafe { EMULATOR.meta.aclCreateIntArray(axes.as_ptr(), 1) }.expect("declared");
    let sum_rows = |own: Matrix, out: Matrix| {
        let (keeps, dtype) = (Argument::Bool(true), Argument::DType(aclDataType(0)));
        run("ReduceSum", &[own.own(), Argument::Ints(first_axis), keeps, dtype, out.own()]);
    };
    let (mean, ignored, keep) = (Argument::Int(1), Argument::Int(-100), Argument::Int(0));

    let mut losses = Vec::new();
    for _ in 0..3 {
        let [hidden, active, hidden_grad, inner_grad] = [(); 4].map(|()| Matrix::empty([5, 4]));
        let [out, logarithms, likelihood_grad, out_grad] = [(); 4].map(|()| Matrix::empty([5, 2]));
        let [loss, total, grad] = [(); 3].map(|()| Matrix::empty([1, 1]));
        let grads = params.map(|param| Matrix::empty(param.dims));
        run("Addmm", &[first_bias.row(), x.own(), first.turned(), one, one, hidden.own(), keep]);
        run("Relu", &[hidden.own(), active.own()]);
        run("Addmm", &[second_bias.row(), active.own(), second.turned(), one, one, out.own(), keep]);
        run("LogSoftmax", &[out.own(), Argument::Int(1), logarithms.own()]);
        let weight = Matrix::empty([1, 2]);
        run("InplaceOne", &[weight.row()]);
        run("NLLLoss", &[logarithms.own(), labels, weight.row(), mean, ignored, single(loss), single(total)]);
        run("InplaceFillScalar", &[single(grad), one]);
        let operands = [single(grad), logarithms.own(), labels, weight.row(), mean, ignored, single(total)];
        run("NLLLossBackward", &[&operands[..], &[likelihood_grad.own()]].concat());
        let operands = [likelihood_grad.own(), logarithms.own(), Argument::Int(1), out_grad.own()];
        run("LogSoftmaxBackward", &operands);
        run("Mm", &[out_grad.own(), second.own(), hidden_grad.own(), keep]);
        run("Mm", &[out_grad.turned(), active.own(), grads[2].own(), keep]);
        sum_rows(out_grad, grads[3]);
        let zero = Argument::Scalar(scalar(0.0_f32));
        run("ThresholdBackward", &[hidden_grad.own(), active.own(), zero, inner_grad.own()]);
        run("Mm", &[inner_grad.turned(), x.own(), grads[0].own(), keep]);
        sum_rows(inner_grad, grads[1]);
        let tensors = |all: [Matrix; 4]| {
            let all = all.map(|matrix| tensor(F32, &matrix.dims, matrix.place));
            Argument::Tensors(list(&all))
        };
        let own = tensors(params);
        run("ForeachAddListV2", &[own, tensors(grads), Argument::Scalar(scalar(-0.1_f32)), own]);
        losses.extend(read::<f32>(loss.place, 1));
    }
    same(&losses, &file.take(3));
    for param in params {
        let count = (param.dims[0] * param.dims[1]) as usize;
        same(&read::<f32>(param.place, count), &file.take(count));
    }
    assert!(file.0.is_empty());
}
