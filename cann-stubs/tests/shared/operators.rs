//! Operators against the cases that the scripts in `xtask/golden` made with NumPy, SciPy and PyTorch: contiguous, and
//! through views with gaps and the axes in another order.

use std::collections::BTreeSet;

use crate::support::Device;
use crate::support::cases::{check_all, read_cases, taking_larger_outputs};
use crate::support::child::{self, this_test};

/// Runs the cases of a file: those of the product that is emulated here, and those of each other product in a process of its
/// own.
fn run(test: &str, file: &[u8]) {
    let cases = read_cases(file);
    let here = std::env::var("CANN_STUBS_SOC").unwrap_or_else(|_| "Ascend910B".to_owned());
    let products: BTreeSet<&str> = cases.iter().map(|case| case.product.as_str()).collect();
    assert!(products.contains("Ascend910B"), "the file has cases of {products:?} alone");
    for product in products {
        let check = || {
            let _device = Device::set();
            check_all(&cases, product);
        };
        if product == here { check() } else { child::with(test, &[("CANN_STUBS_SOC", product)], check) }
    }
}

/// The operators that take an output which is larger than the result, by CANN's description: the size depends on values, the
/// output tells the size, its shape is set or is not looked at, perhaps for empty operands alone, or it is not written with some
/// attributes.
const TAKING_LARGER_OUTPUTS: [&str; 26] = [
    "AddLayerNorm",
    "BatchNorm",
    "Bincount",
    "DequantRopeQuantKvcache",
    "DequantSwigluQuant",
    "DequantSwigluQuantV2",
    "HansEncode",
    "InplaceRReluWithNoise",
    "KvRmsNormRopeCache",
    "KvRmsNormRopeCacheV2",
    "MoeGatingTopK",
    "MoeGatingTopKV2",
    "MoeInitRoutingV3",
    "MoeTokenUnpermuteWithRoutingMap",
    "NormalFloatFloat",
    "NpuFormatCast",
    "RReluWithNoise",
    "ReduceNansum",
    "RepeatInterleaveTensor",
    "SearchSorteds",
    "SoftmaxCrossEntropyWithLogits",
    "Svd",
    "Unique",
    "Unique2",
    "UniqueConsecutive",
    "UniqueDim",
];

/// Expands to a test for each file, and one for all; [`output_types`](super::output_types) has another one for all.
macro_rules! files {
    ($($name:ident $file:literal;)*) => {
        /// The files.
        pub(crate) const FILES: &[&[u8]] = &[$(include_bytes!(concat!("../data/", $file, ".cases"))),*];

        #[test]
        fn outputs_that_are_too_large_are_refused() {
            let _device = Device::set();
            let taking: BTreeSet<String> =
                FILES.iter().flat_map(|file| taking_larger_outputs(file, "Ascend910B")).collect();
            assert_eq!(taking, TAKING_LARGER_OUTPUTS.map(str::to_owned).into());
        }

        #[test]
        fn files_have_cases_of_other_products() {
            let products: BTreeSet<String> =
                FILES.iter().flat_map(|file| read_cases(file)).map(|case| case.product).collect();
            assert!(["Ascend910", "Ascend950"].iter().all(|one| products.contains(*one)), "{products:?}");
        }

        $(
        #[test]
        fn $name() {
            run(this_test!(), include_bytes!(concat!("../data/", $file, ".cases")));
        }
    )*};
}

files! {
    attention_and_rotations_by_positions "attention";
    whole_quotients_remainders_powers_and_shifts "binary";
    losses_and_gradients_of_softmax "loss";
    products_of_matrices "matrix";
    convolutions_and_their_gradients "convolution";
    poolings_and_their_gradients "pooling";
    images_in_another_size "resize";
    images_at_the_places_of_a_grid "sampling";
    linear_algebra "linalg";
    products_with_scales_groups_and_activations "fused";
    mixtures_of_experts "experts";
    movements "movement";
    parts_of_models "models";
    operators_known_by_their_parameters "by_signature";
    samples_between_elements_and_sums_of_parts "interpolated";
    units_optimizers_and_norms_that_are_published_by_name "by_name";
    storage_formats "formats";
    normalisation_by_means_and_variances "normalization";
    gated_linear_units_and_gradients_of_weights "activation";
    indices_and_masks "index";
    functions_of_one_tensor "unary";
    rows_on_their_way_to_a_cache "caches";
    comparisons_and_functions_of_two_tensors "pairwise";
    functions_with_attributes_and_their_gradients "parametric";
    functions_of_lists_of_tensors "foreach";
    steps_of_optimizers "optimizer";
    functions_of_several_operands "n_ary";
    numbers_in_steps "quantisation";
    attention_over_chosen_keys "sparse";
    classes_of_several_devices_and_residual_streams "vocabulary";
    steps_of_attention "attention_steps";
    elements_and_rows_that_are_quantised "quantised";
    random_numbers "random_numbers";
    recurrent_networks "recurrent";
    reductions_scans_and_histograms "reductions";
    sorting_search_and_unique_elements "sorting";
}
