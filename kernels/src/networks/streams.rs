//! Residual streams that are mixed and get the output of a layer.

use crate::functions::rows::{add_scaled, dot};

/// Writes each stream as the sum of all streams of a token, times its row of factors, and the output of a layer, times its
/// weight.
pub fn mix_streams(x: &[f32], mix: &[f32], layer: &[f32], weights: &[f32], out: &mut [f32]) {
    let (len, streams) = (layer.len().max(1), weights.len().max(1));
    out.fill(0.0);
    for ((out, mix), weight) in out.chunks_mut(len).zip(mix.chunks(streams)).zip(weights) {
        x.chunks(len).zip(mix).for_each(|(x, factor)| add_scaled(x, *factor, out));
        add_scaled(layer, *weight, out);
    }
}

/// Writes the gradients of the streams, their factors, the output of the layer and its weights, by those of what
/// [`mix_streams`] writes.
pub fn mix_streams_gradients(
    [g, x, mix, layer, weights]: [&[f32]; 5],
    [of_x, of_mix, of_layer, of_weights]: [&mut [f32]; 4],
) {
    let (len, streams) = (layer.len().max(1), weights.len().max(1));
    of_x.fill(0.0);
    of_layer.fill(0.0);
    let factors = mix.chunks(streams).zip(of_mix.chunks_mut(streams));
    let weights = weights.iter().zip(of_weights);
    for ((g, (mix, of_mix)), (weight, of_weight)) in g.chunks(len).zip(factors).zip(weights) {
        let from = x.chunks(len).zip(of_x.chunks_mut(len)).zip(mix.iter().zip(of_mix));
        for ((x, of_x), (factor, of_factor)) in from {
            *of_factor = dot(g, x) as f32;
            add_scaled(g, *factor, of_x);
        }
        *of_weight = dot(g, layer) as f32;
        add_scaled(g, *weight, of_layer);
    }
}
