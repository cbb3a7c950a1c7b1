//! Recurrent networks of one layer, and cells.

use aclnn::Tensor;
use aclnn::ops::{self, Recurrent, RecurrentOutputs, RecurrentWeights};

use super::function::functions;
use super::operation::Direct;

functions! {
    lstm(
        input: tensor, weight: tensor, hidden_weight: tensor, bias: optional_tensor, hidden_bias: optional_tensor,
        batch_first: bool = "false"
    )[LSTM] => Direct(|| {
        let weights = [layer(weight, hidden_weight, bias.zip(hidden_bias))];
        let network = ordered(ops::lstm(input, &weights), batch_first);
        network.run().map(results)
    });
    lstm_backward(
        grad: tensor, input: tensor, weight: tensor, hidden_weight: tensor, bias: optional_tensor,
        hidden_bias: optional_tensor, batch_first: bool = "false"
    )[LstmBackward] => Direct(|| {
        let weights = [layer(weight, hidden_weight, bias.zip(hidden_bias))];
        let network = ordered(ops::lstm(input, &weights), batch_first);
        gradients(&network, grad)
    });
    gru(
        input: tensor, weight: tensor, hidden_weight: tensor, bias: optional_tensor, hidden_bias: optional_tensor,
        batch_first: bool = "false"
    )[GRU] => Direct(|| {
        let weights = [layer(weight, hidden_weight, bias.zip(hidden_bias))];
        let network = ordered(ops::gru(input, &weights), batch_first);
        network.run().map(results)
    });
    gru_backward(
        grad: tensor, input: tensor, weight: tensor, hidden_weight: tensor, bias: optional_tensor,
        hidden_bias: optional_tensor, batch_first: bool = "false"
    )[GRUBackward] => Direct(|| {
        let weights = [layer(weight, hidden_weight, bias.zip(hidden_bias))];
        let network = ordered(ops::gru(input, &weights), batch_first);
        gradients(&network, grad)
    });
    lstm_cell(input: tensor, hidden: tensor, cell: tensor)[ThnnFusedLstmCell] => Direct(|| {
        let next = ops::lstm_cell(input, hidden, cell).run()?;
        Ok((next.hidden, next.cell, next.gates))
    });
    lstm_cell_backward(grad_hidden: tensor, grad_cell: tensor, before: tensor, after: tensor, gates: tensor)
        [ThnnFusedLstmCellBackward] => Direct(|| {
        let grads = ops::lstm_cell_backward(Some(grad_hidden), Some(grad_cell), before, after, gates)?;
        Ok((grads.gates, grads.cell, grads.bias))
    });
}

fn ordered(network: Recurrent<'_>, batch_first: bool) -> Recurrent<'_> {
    if batch_first { network.batch_first() } else { network }
}

fn layer(input: &Tensor, hidden: &Tensor, biases: Option<(&Tensor, &Tensor)>) -> RecurrentWeights {
    let biases = biases.map(|(input, hidden)| [input.clone(), hidden.clone()]);
    RecurrentWeights { input: input.clone(), hidden: hidden.clone(), biases }
}

fn results(made: RecurrentOutputs) -> Vec<Tensor> {
    [made.output, made.hidden].into_iter().chain(made.cell).collect()
}

fn gradients(network: &Recurrent<'_>, grad: &Tensor) -> aclnn::Result<Vec<Tensor>> {
    let made = network.backward(&network.run_for_gradients()?, Some(grad), None, None)?;
    let weights = made.weights.into_iter().flat_map(|weights| {
        [weights.input, weights.hidden].into_iter().chain(weights.biases.into_iter().flatten())
    });
    Ok([made.input, made.hidden].into_iter().chain(made.cell).chain(weights).collect())
}
