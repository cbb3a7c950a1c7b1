//! Recurrent networks and their cells through the safe layer: views, steps one after the other, and what is refused. Expectations
//! are the formula of a cell written out, differences of it, and for whole networks what PyTorch computes
//! (`xtask/golden/recurrent.py`).

use aclnn::ops::{self, Recurrent, RecurrentWeights};
use aclnn::product::Product;
use aclnn::{DType, Device, Error, Tensor};

use crate::support;

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

/// Numbers that PyTorch computed, from front to back.
struct Numbers(&'static [[u8; 4]]);

impl Numbers {
    fn next(&mut self, count: usize) -> Vec<f32> {
        let (these, rest) = self.0.split_at(count);
        self.0 = rest;
        these.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
    }

    fn tensor(&mut self, device: &Device, dims: &[usize]) -> Result<Tensor, Error> {
        Tensor::from_slice(device, &self.next(dims.iter().product()), dims)
    }

    /// Compares a tensor with the next numbers.
    fn meet(&mut self, found: &Tensor) -> Result<(), Error> {
        for (found, expected) in found.to_vec::<f32>()?.into_iter().zip(self.next(found.numel())) {
            close(f64::from(found), f64::from(expected), 2e-5);
        }
        Ok(())
    }
}

#[test]
fn networks_compute_what_those_of_pytorch_compute() -> Result<(), Error> {
    let device = Device::open(0)?;
    for product in [Product::Ascend310P, Product::Ascend950] {
        if support::skips_on(&device, product, "it has no operators of recurrent networks") {
            return Ok(());
        }
    }
    let (words, rest) = include_bytes!("../../cann-stubs/tests/data/recurrent.bin").as_chunks();
    assert!(rest.is_empty());
    let mut numbers = Numbers(words);
    while !numbers.0.is_empty() {
        let head: Vec<usize> = numbers.next(11).into_iter().map(|number| number as usize).collect();
        let [
            is_lstm,
            steps,
            batches,
            elements,
            size,
            layers,
            directions,
            has_biases,
            batch_first,
            given,
            running,
        ] = head[..]
        else {
            unreachable!("so many numbers")
        };
        let counts = numbers.next(running * steps).into_iter().map(|count| count as i64).collect::<Vec<_>>();
        let counts = Tensor::from_slice(&device, &counts, [counts.len()])?;
        let sides = if batch_first == 1 { [batches, steps] } else { [steps, batches] };
        let input = numbers.tensor(&device, &[sides[0], sides[1], elements])?;
        let rows = if is_lstm == 1 { 4 * size } else { 3 * size };
        let weights = (0..layers * directions).map(|number| {
            let own = if number < directions { elements } else { directions * size };
            let (input, hidden) =
                (numbers.tensor(&device, &[rows, own])?, numbers.tensor(&device, &[rows, size])?);
            let mut bias = || numbers.tensor(&device, &[rows]);
            let biases = if has_biases == 1 { Some([bias()?, bias()?]) } else { None };
            Ok(RecurrentWeights { input, hidden, biases })
        });
        let weights = weights.collect::<Result<Vec<_>, Error>>()?;
        let states = [layers * directions, batches, size];
        let hidden = numbers.tensor(&device, &states)?;
        let cell = if is_lstm == 1 { Some(numbers.tensor(&device, &states)?) } else { None };
        // As a part of a wider tensor: neither the steps nor the elements lie one behind the other.
        let wide = ops::cat(&[&input, &input], 2).run()?.copy()?;
        let view = wide.slice(2, ..elements as i64)?;
        let mut network = if is_lstm == 1 { ops::lstm(&view, &weights) } else { ops::gru(&view, &weights) };
        if given == 1 {
            network = network.initial_hidden(&hidden);
            network = cell.iter().fold(network, Recurrent::initial_cell);
        }
        network = if directions == 2 { network.bidirectional() } else { network };
        network = if batch_first == 1 { network.batch_first() } else { network };
        network = if running == 1 { network.batch_sizes(&counts) } else { network };
        let forward = network.run_for_gradients()?;
        let (plain, kept) = (network.run()?, &forward.outputs);
        assert_eq!(plain.output.to_vec::<f32>()?, kept.output.to_vec::<f32>()?);
        numbers.meet(&plain.output)?;
        numbers.meet(&plain.hidden)?;
        plain.cell.iter().try_for_each(|cell| numbers.meet(cell))?;
        let grad = numbers.tensor(&device, kept.output.dims())?;
        let grad_hidden = numbers.tensor(&device, &states)?;
        let grad_cell = if is_lstm == 1 { Some(numbers.tensor(&device, &states)?) } else { None };
        let grads = network.backward(&forward, Some(&grad), Some(&grad_hidden), grad_cell.as_ref())?;
        numbers.meet(&grads.input)?;
        for weights in &grads.weights {
            numbers.meet(&weights.input)?;
            numbers.meet(&weights.hidden)?;
            weights.biases.iter().flatten().try_for_each(|bias| numbers.meet(bias))?;
        }
        numbers.meet(&grads.hidden)?;
        grads.cell.iter().try_for_each(|cell| numbers.meet(cell))?;
    }
    Ok(())
}

#[test]
fn a_network_is_its_cells_one_after_the_other() -> Result<(), Error> {
    let device = Device::open(0)?;
    if support::skips_on(&device, Product::Ascend310P, "it has no operators of recurrent networks") {
        return Ok(());
    }
    let (steps, size) = (5, 2);
    let input: Vec<f32> = (0..steps).map(|index| (index as f32 - 2.0) / 2.0).collect();
    let numbers =
        |count: usize| (0..count).map(|index| ((index * 5) % 7) as f32 / 8.0 - 0.5).collect::<Vec<_>>();
    let (own, between) = (numbers(4 * size), numbers(4 * size * size));
    let weights = [RecurrentWeights {
        input: Tensor::from_slice(&device, &own, [4 * size, 1])?,
        hidden: Tensor::from_slice(&device, &between, [4 * size, size])?,
        biases: None,
    }];
    let x = Tensor::from_slice(&device, &input, [1, steps, 1])?;
    let made = ops::lstm(&x, &weights).batch_first().run()?;
    let (mut hidden, mut cell) = (vec![0.0; size], vec![0.0; size]);
    let shown = made.output.to_vec::<f32>()?;
    for (x, shown) in input.iter().zip(shown.chunks(size)) {
        let next: Vec<[f64; 2]> = (0..size)
            .map(|state| {
                let gates = [0, 1, 2, 3].map(|gate| {
                    let row = gate * size + state;
                    let from_states =
                        (0..size).map(|other| f64::from(between[row * size + other]) * hidden[other]);
                    f64::from(own[row]) * f64::from(*x) + from_states.sum::<f64>()
                });
                step(gates, cell[state])
            })
            .collect();
        (hidden, cell) = next.iter().map(|[hidden, cell]| (*hidden, *cell)).unzip();
        shown.iter().zip(&hidden).for_each(|(found, expected)| close(f64::from(*found), *expected, 1e-6));
    }
    // Half the type, and half its precision.
    let half = [RecurrentWeights {
        input: weights[0].input.cast(DType::F16)?,
        hidden: weights[0].hidden.cast(DType::F16)?,
        biases: None,
    }];
    let halves = ops::lstm(&x.cast(DType::F16)?, &half).batch_first().run()?;
    assert_eq!(halves.output.dtype(), DType::F16);
    for (found, expected) in halves.output.cast(DType::F32)?.to_vec::<f32>()?.into_iter().zip(shown) {
        close(f64::from(found), f64::from(expected), 2e-3);
    }
    Ok(())
}

#[test]
fn what_does_not_fit_a_network_is_refused_before_a_launch() -> Result<(), Error> {
    let device = Device::open(0)?;
    for product in [Product::Ascend310P, Product::Ascend950] {
        if support::skips_on(&device, product, "it has no operators of recurrent networks") {
            return Ok(());
        }
    }
    let tensor = |dims: &[usize]| Tensor::ones(&device, dims, DType::F32);
    let layer = |elements: usize, size: usize| {
        let (input, hidden) = (tensor(&[4 * size, elements])?, tensor(&[4 * size, size])?);
        Ok::<_, Error>(RecurrentWeights { input, hidden, biases: None })
    };
    fn refused<T>(result: Result<T, Error>, part: &str) {
        let message = result.map(|_| ()).expect_err(part).to_string();
        assert!(message.contains(part), "{message}");
    }
    let (x, weights) = (tensor(&[3, 2, 4])?, [layer(4, 2)?]);
    refused(ops::lstm(&tensor(&[3, 4])?, &weights).run(), "three axes");
    refused(ops::lstm(&x, &[]).run(), "weights has 0 entries");
    refused(ops::lstm(&x, &weights).bidirectional().run(), "weights has 1 entries");
    refused(
        ops::gru(&x, &weights).run(),
        "a weight of a hidden state of layer 0 is f32 [8, 2], but must be [3 · size, size]",
    );
    refused(ops::lstm(&x, &[layer(5, 2)?]).run(), "a weight of an input of layer 0 is f32 [8, 5]");
    refused(
        ops::lstm(&x, &[layer(4, 2)?, layer(4, 2)?]).run(),
        "layer 1 is f32 [8, 4], but must be f32 [8, 2]",
    );
    let mut biased = layer(2, 2)?;
    biased.biases = Some([tensor(&[8])?, tensor(&[8])?]);
    refused(ops::lstm(&x, &[layer(4, 2)?, biased]).run(), "all layers must have biases");
    refused(ops::lstm(&x.cast(DType::F16)?, &weights).run(), "must be f16");
    refused(ops::lstm(&x.cast(DType::F64)?, &weights).run(), "f64");
    refused(ops::lstm(&x.slice(0, ..0)?, &weights).run(), "input has no steps");
    let state = tensor(&[1, 2, 2])?;
    refused(ops::lstm(&x, &weights).initial_cell(&x).run(), "initial_cell is f32 [3, 2, 4]");
    let counts = Tensor::from_slice(&device, &[2i64, 1, 1], [3])?;
    refused(ops::lstm(&x, &weights).batch_sizes(&state).run(), "batch_sizes is f32");
    refused(
        ops::lstm(&tensor(&[2, 3, 4])?, &weights).batch_first().batch_sizes(&counts).run(),
        "steps before batches",
    );
    let of_gru = [RecurrentWeights { input: tensor(&[6, 4])?, hidden: tensor(&[6, 2])?, biases: None }];
    refused(ops::gru(&x, &of_gru).initial_cell(&state).run(), "no states of cells");
    refused(ops::gru(&x, &of_gru).batch_sizes(&counts).run(), "one length alone");
    let network = ops::lstm(&x, &weights);
    let forward = network.run_for_gradients()?;
    refused(network.backward(&forward, None, None, None), "a gradient of a result");
    refused(network.backward(&forward, Some(&state), None, None), "grad_output is f32 [1, 2, 2]");
    let others = ops::gru(&x, &of_gru);
    refused(others.backward(&forward, None, Some(&state), None), "of this network");
    refused(others.backward(&others.run_for_gradients()?, None, None, Some(&state)), "no states of cells");
    // Without sequences there are gradients, of nothing.
    let none = tensor(&[3, 0, 4])?;
    let network = ops::lstm(&none, &weights);
    let grads = network.backward(&network.run_for_gradients()?, Some(&tensor(&[3, 0, 2])?), None, None)?;
    assert_eq!((network.run()?.hidden.dims(), grads.input.dims()), (&[1, 0, 2][..], &[3, 0, 4][..]));
    assert_eq!(grads.weights[0].hidden.to_vec::<f32>()?, [0.0; 16]);
    Ok(())
}
