//! The list of the families.

/// Calls `$callback!` with every family, what it is for, and the macro that has its declarations.
#[macro_export]
macro_rules! operator_families {
    ($callback:path) => {
        $callback! {
            /// Activations that combine elements: gated linear units, their gradients, and the gradient of a weight.
            activation by activation_operators;
            /// Element-wise arithmetic: add, subtract, multiply, divide.
            arithmetic by arithmetic_operators;
            /// Attention, and the rotation of its operands by their positions.
            attention by attention_operators;
            /// Steps of attention: parts that are joined, a softmax with biases, and states in the place of keys.
            attention_steps by attention_steps_operators;
            /// Functions of two operands, of which the second may be a scalar, also in place.
            binary by binary_operators;
            /// Rows of keys and values that are normalised, rotated and quantised on their way to a cache.
            caches by caches_operators;
            /// Comparisons and operations on bits, of a tensor with a tensor or a scalar.
            comparison by comparison_operators;
            /// Conversion of one tensor to another type or place: cast, copy.
            conversion by conversion_operators;
            /// Convolutions of images, and their gradients.
            convolution by convolution_operators;
            /// Mixtures of experts: their choice for tokens, the order of tokens by experts, and their sums afterwards.
            experts by experts_operators;
            /// Constants written to a whole tensor.
            fill by fill_operators;
            /// Products of matrices with what comes before and after them: quantised factors, groups, biases and activations.
            fused by fused_operators;
            /// Functions of the tensors of lists: what optimizers do with all parameters of a network.
            foreach by foreach_operators;
            /// Histograms.
            histogram by histogram_operators;
            /// Elements by their indices, or by a mask.
            index by index_operators;
            /// Operators of several ranks: products of matrices with collectives, and experts that live on several ranks.
            joint by joint_operators;
            /// Factors of matrices and what is computed with them, distances between rows.
            linalg by linalg_operators;
            /// Losses: how far predictions are from what is wanted, and their gradients.
            loss by loss_operators;
            /// Products of matrices and vectors, alone and added to a tensor.
            matrix by matrix_operators;
            /// Parts of models: softmax with masks, choices, packed signs, adapters, gradients of what is repeated.
            models by models_operators;
            /// Elements copied to other places: joined, split, cut, repeated, reordered, padded.
            movement by movement_operators;
            /// Normalisation by means and variances of parts of a tensor, forward and backward.
            normalization by normalization_operators;
            /// Optimizer steps, and the loss scale of mixed precision.
            optimizer by optimizer_operators;
            /// Functions of the elements of two tensors.
            pairwise by pairwise_operators;
            /// Functions of the elements of one to three tensors, with attributes.
            parametric by parametric_operators;
            /// Averages and greatest elements of windows over images, and their gradients.
            pooling by pooling_operators;
            /// Numbers in steps: integers of them, and floats as these integers would give them back.
            quantisation by quantisation_operators;
            /// Random numbers of a seed and an offset.
            random by random_operators;
            /// Sequences of evenly spaced numbers, generated on the device.
            range by range_operators;
            /// Functions of the elements of several operands.
            n_ary by n_ary_operators;
            /// Attention over chosen keys, and the scores that choose them.
            sparse by sparse_operators;
            /// Cells of recurrent networks, after the products with their weights.
            recurrent by recurrent_operators;
            /// Elements along axes combined to one: sums, extremes, means, norms.
            reduction by reduction_operators;
            /// Images in another size, and the gradients of that.
            resize by resize_operators;
            /// Images at other places: the elements that a grid tells, and the grids of affine maps.
            sampling by sampling_operators;
            /// Functions of all elements along one axis, with a result for each of them.
            scan by scan_operators;
            /// Order: sorting, selection by rank, search in sorted elements, unique elements.
            sorting by sorting_operators;
            /// Functions of each element of one tensor.
            unary by unary_operators;
        }
    };
}

macro_rules! families {
    ($($(#[$doc:meta])* $family:ident by $operators:ident;)*) => {
        /// The families, in the order of their declarations, by which a table finds their operators.
        #[allow(non_camel_case_types)]
        pub(super) enum Family {
            $($family),*
        }
    };
}

crate::operator_families!(families);
