//! Recurrent networks, and their cells after the products with weights.

/// Calls `$callback!` with the networks and their cells.
#[macro_export]
macro_rules! recurrent_operators {
    ($callback:path) => {
        $callback! {
            recurrent, Wide:

            /// An LSTM network of some layers: what the last one shows, and the last states; in training also gates and states of
            /// all steps
            lstm (takes: types("f32@910B,950 f16@910B,950"), output: Own) {
                LSTM = "aclnnLSTM"(
                    input: tensor, params: tensors, hx: tensors_or_null, batchSizes: tensor_or_null, hasBias: bool, numLayers: i64,
                    dropout: f64, train: bool, bidirectional: bool, batchFirst: bool, output: out, hy: out, cy: out,
                    iOut: tensors_out, jOut: tensors_out, fOut: tensors_out, oOut: tensors_out, hOut: tensors_out,
                    cOut: tensors_out, tanhCOut: tensors_out
                );
            }

            /// The gradients of `lstm`, for its input, its first states and its parameters
            lstm_backward (takes: types("f32@910B,950 f16@910B,950"), output: Own) {
                LstmBackward = "aclnnLstmBackward"(
                    input: tensor, hx: tensors, params: tensors, dy: tensor_or_null, dh: tensor_or_null, dc: tensor_or_null,
                    i: tensors, g: tensors, f: tensors, o: tensors, h: tensors, c: tensors, tanhc: tensors,
                    batchSizesOptional: tensor_or_null, hasBias: bool, numLayers: i64, dropout: f64, train: bool,
                    bidirectional: bool, batchFirst: bool, outputMask: bools_or_null, dxOut: out, dhPrevOut: out, dcPrevOut: out,
                    dparamsOut: tensors_out
                );
            }

            /// A GRU network of some layers: what the last one shows, and the last states; in training also gates and states of
            /// all steps
            gru (takes: types("f32@910B f16@910B"), output: Own) {
                GRU = "aclnnGRU"(
                    input: tensor, params: tensors, hx: tensor_or_null, batchSizes: tensor_or_null, hasBias: bool, numLayers: i64,
                    dropout: f64, train: bool, bidirection: bool, batchFirst: bool, output: out, hy: out, rOut: tensors_out,
                    zOut: tensors_out, nOut: tensors_out, hnOut: tensors_out, hOut: tensors_out
                );
            }

            /// The gradients of `gru`, for its input, its first states and its parameters
            gru_backward (takes: types("f32@910B f16@910B"), output: Own) {
                GRUBackward = "aclnnGRUBackward"(
                    input: tensor, params: tensors, hx: tensor_or_null, dy: tensor_or_null, dh: tensor_or_null, r: tensors,
                    z: tensors, n: tensors, hn: tensors, h: tensors, batchSizes: tensor_or_null, hasBias: bool, numLayers: i64,
                    bidirection: bool, batchFirst: bool, dxOut: out, dhPrevOut: out, dparamsOut: tensors_out
                );
            }

            /// One layer of an LSTM network, in one direction or in two
            bidirection_lstm (takes: types("f16@310P"), output: Own) {
                BidirectionLSTM = "aclnnBidirectionLSTM"(
                    x: tensor, initH: tensor, initC: tensor, wIh: tensor, wHh: tensor, bIhOptional: tensor_or_null,
                    bHhOptional: tensor_or_null, wIhReverseOptional: tensor_or_null, wHhReverseOptional: tensor_or_null,
                    bIhReverseOptional: tensor_or_null, bHhReverseOptional: tensor_or_null, numLayers: i64, isbias: bool,
                    batchFirst: bool, bidirection: bool, yOut: out_const, outputHOut: out_const, outputCOut: out_const
                );
                BidirectionLSTMV2 = "aclnnBidirectionLSTMV2"(
                    x: tensor, initH: tensor, initC: tensor, wIh: tensor, wHh: tensor, bIhOptional: tensor_or_null,
                    bHhOptional: tensor_or_null, wIhReverseOptional: tensor_or_null, wHhReverseOptional: tensor_or_null,
                    bIhReverseOptional: tensor_or_null, bHhReverseOptional: tensor_or_null, batchSizeOptional: tensor_or_null,
                    numLayers: i64, isbias: bool, batchFirst: bool, bidirection: bool, packed: bool, yOut: out_const,
                    outputHOut: out_const, outputCOut: out_const
                );
            }

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
