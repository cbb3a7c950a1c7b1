//! Cells of recurrent networks, after the products with their weights.

/// Calls `$callback!` with the cells.
#[macro_export]
macro_rules! recurrent_operators {
    ($callback:path) => {
        $callback! {
            recurrent, Wide:

            /// The next states of an LSTM cell, and its gates: input, forget, cell and output gate
            lstm_cell (takes: types("float"), output: Own) {
                ThnnFusedLstmCell = "aclnnThnnFusedLstmCell"(
                    inputGates: tensor, hiddenGates: tensor, cx: tensor, inputBiasOptional: tensor_or_null,
                    hiddenBiasOptional: tensor_or_null, hyOut: out, cyOut: out, storageOut: out
                );
            }

            /// The gradients of `lstm_cell`: for the operands of its gates, for its state and for its biases
            lstm_cell_backward (takes: types("float"), output: Own) {
                ThnnFusedLstmCellBackward = "aclnnThnnFusedLstmCellBackward"(
                    gradHyOptional: tensor_or_null, gradCOptional: tensor_or_null, cx: tensor, cy: tensor, storage: tensor, hasBias: bool,
                    gradGatesOut: out, gradCxOut: out, gradBiasOut: out_or_null
                );
            }
        }
    };
}

recurrent_operators!(super::info::family);
