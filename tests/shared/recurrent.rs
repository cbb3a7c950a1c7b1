//! Cells of recurrent networks through the safe layer: views, steps one after the other, and what is refused. What the operators
//! compute is tested with the emulator; expectations here are the formula written out, and differences of it.

use aclnn::{DType, Device, Error, Tensor, ops};

/// The next hidden state and cell of one cell.
fn step(gates: [f64; 4], cell: f64) -> [f64; 2] {
    let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
    let next = sigmoid(gates[1]) * cell + sigmoid(gates[0]) * gates[2].tanh();
    [sigmoid(gates[3]) * next.tanh(), next]
}

fn close(found: f64, expected: f64, error: f64) {
    assert!((found - expected).abs() <= error, "{found} {expected}");
}

#[test]
fn steps_of_a_cell_are_those_of_its_formula_and_its_gradients_their_slopes() -> Result<(), Error> {
    let device = Device::open(0)?;
    let values: Vec<f32> = (0..16).map(|index| ((index * 7) % 11) as f32 / 4.0 - 1.25).collect();
    // Four gates of two states for two batches, which lie column by column in memory.
    let input = Tensor::from_slice(&device, &values, [8, 2])?.permute(&[1, 0])?;
    let hidden = Tensor::zeros(&device, [2, 8], DType::F32)?;
    let bias = Tensor::from_slice(&device, &[0.25f32; 8], [8])?;
    let mut cell = Tensor::from_slice(&device, &[0.5f32, -1.0, 2.0, 0.0], [2, 2])?;
    let mut expected = cell.to_vec::<f32>()?.into_iter().map(f64::from).collect::<Vec<_>>();
    for _ in 0..2 {
        let next = ops::lstm_cell(&input, &hidden, &cell).biases(&bias, &bias).run()?;
        let grad = Tensor::ones(&device, [2, 2], DType::F32)?;
        let grads = ops::lstm_cell_backward(Some(&grad), Some(&grad), &cell, &next.cell, &next.gates)?;
        let [shown, states, to_cell] = [&next.hidden, &next.cell, &grads.cell].map(Tensor::to_vec::<f32>);
        let (shown, states, to_cell, to_gates) = (shown?, states?, to_cell?, grads.gates.to_vec::<f32>()?);
        for (at, before) in expected.iter_mut().enumerate() {
            let (batch, state) = (at / 2, at % 2);
            let place = |gate: usize| gate * 2 + state;
            let gates = [0, 1, 2, 3].map(|gate| f64::from(values[place(gate) * 2 + batch]) + 0.5);
            let [hidden, after] = step(gates, *before);
            close(f64::from(shown[at]), hidden, 1e-6);
            close(f64::from(states[at]), after, 1e-6);
            let sum = |gates: [f64; 4], cell: f64| step(gates, cell).into_iter().sum::<f64>();
            let slope = |rise: &dyn Fn(f64) -> f64| (rise(1e-4) - rise(-1e-4)) / 2e-4;
            close(f64::from(to_cell[at]), slope(&|by| sum(gates, *before + by)), 1e-5);
            for gate in 0..4 {
                let moved = |by: f64| {
                    let mut gates = gates;
                    gates[gate] += by;
                    sum(gates, *before)
                };
                close(f64::from(to_gates[batch * 8 + place(gate)]), slope(&moved), 1e-5);
            }
            *before = f64::from(states[at]);
        }
        let sums = grads.gates.sum(0)?.to_vec::<f32>()?;
        for (found, sum) in grads.bias.to_vec::<f32>()?.into_iter().zip(sums) {
            close(f64::from(found), f64::from(sum), 1e-6);
        }
        cell = next.cell;
    }
    Ok(())
}

#[test]
fn what_does_not_fit_a_cell_is_refused_before_a_launch() -> Result<(), Error> {
    let device = Device::open(0)?;
    let tensor = |dims: &[usize]| Tensor::ones(&device, dims, DType::F32);
    fn refused<T>(result: Result<T, Error>, part: &str) {
        let message = result.map(|_| ()).expect_err(part).to_string();
        assert!(message.contains(part), "{message}");
    }
    let (gates, cell) = (tensor(&[2, 8])?, tensor(&[2, 2])?);
    refused(ops::lstm_cell(&gates, &gates, &tensor(&[2, 3])?).run(), "four gates for each state");
    refused(ops::lstm_cell(&gates, &tensor(&[1, 8])?, &cell).run(), "hidden must have the shape of input");
    refused(ops::lstm_cell(&gates, &gates, &cell).biases(&cell, &cell).run(), "biases its last axis");
    refused(ops::lstm_cell(&gates, &gates, &cell.cast(DType::F16)?).run(), "one type");
    refused(ops::lstm_cell_backward(None, None, &cell, &cell, &gates), "a gradient of a state");
    refused(ops::lstm_cell_backward(Some(&gates), None, &cell, &cell, &gates), "must have one shape");
    let none = cell.slice(0, ..0)?;
    let empty = ops::lstm_cell(&gates.slice(0, ..0)?, &gates.slice(0, ..0)?, &none).run()?;
    assert_eq!((empty.hidden.dims(), empty.gates.dims()), (&[0, 2][..], &[0, 8][..]));
    let grads = ops::lstm_cell_backward(Some(&none), None, &none, &none, &gates.slice(0, ..0)?)?;
    assert_eq!(grads.bias.to_vec::<f32>()?, [0.0; 8]);
    Ok(())
}
