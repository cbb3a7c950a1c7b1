//! Cells of recurrent networks.

use aclnn::ops;

use super::function::functions;
use super::operation::Direct;

functions! {
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
