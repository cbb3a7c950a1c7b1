//! Latent attention before its scores: queries, compressed keys and the parts of both that are rotated, from tokens.

use aclnn_numerics::bf16;

use super::normed::normalize;
use super::rotary::Rotation;
use crate::LaneFunction;
use crate::products::matrix::{Matrix, multiply};
use crate::views::allocation;

/// The sizes of the operands, and what tokens are multiplied by.
#[derive(Clone, Copy)]
pub struct Latent {
    pub tokens: usize,
    /// Elements of a token.
    pub size: usize,
    /// Elements of a compressed query, and of a compressed key.
    pub query: usize,
    pub key: usize,
    /// Heads, elements of a head, and its elements that are rotated.
    pub heads: usize,
    pub head: usize,
    pub rotated: usize,
    pub epsilons: [f32; 2],
    /// The factors of compressed queries and keys.
    pub factors: [f32; 2],
}

fn round(numbers: &mut [f32]) {
    numbers.iter_mut().for_each(|x| *x = bf16::from_f32(*x).to_f32());
}

impl Latent {
    /// The body over tokens, the weights of compressed queries, of queries, of keys of each head and of compressed keys, the
    /// weights of both norms, sines and cosines. Outputs are queries, their rotated parts, compressed keys, their rotated parts,
    /// and compressed queries.
    ///
    /// Sums are f32; what is multiplied by a further matrix is rounded to bf16 first.
    pub fn body(self) -> LaneFunction {
        LaneFunction::new("compress tokens", move |_, inputs, outputs| {
            let (
                [x, w_dq, w_uq, w_uk, w_dkv, of_query, of_key, sin, cos],
                [out, rotated, key, key_rotated, normed],
            ) = (inputs, outputs)
            else {
                return Ok(());
            };
            let [x, w_dq, w_uq, w_uk, w_dkv, of_query, of_key, sin, cos]: [&[f32]; 9] =
                [x, w_dq, w_uq, w_uk, w_dkv, of_query, of_key, sin, cos]
                    .map(|bytes| bytemuck::cast_slice(bytes));
            let [out, rotated, key, key_rotated, normed]: [&mut [f32]; 5] =
                [out, rotated, key, key_rotated, normed].map(|bytes| bytemuck::cast_slice_mut(bytes));
            let Self { tokens, size, heads, head, rotated: rope, .. } = self;
            let (latent, wide) = (self.query, head + rope);
            let rows = Matrix::rows(x, size);
            let mut compressed = allocation::zeros::<f32>(tokens * latent)?;
            multiply([tokens, size, latent], rows, Matrix::rows(w_dq, latent), &mut compressed, false);
            for (own, to) in compressed.chunks_exact(latent).zip(normed.chunks_exact_mut(latent)) {
                normalize(own, of_query, self.epsilons[0], to);
                to.iter_mut().for_each(|x| *x *= self.factors[0]);
            }
            round(normed);
            let mut queries = allocation::zeros::<f32>(tokens * heads * wide)?;
            let of_heads = heads * wide;
            multiply(
                [tokens, latent, of_heads],
                Matrix::rows(normed, latent),
                Matrix::rows(w_uq, of_heads),
                &mut queries,
                false,
            );
            let angles = |token: usize| [cos, sin].map(|list| &list[token * rope..(token + 1) * rope]);
            for (at, own) in queries.chunks_exact_mut(wide).enumerate() {
                let (plain, to_rotate) = own.split_at_mut(head);
                round(plain);
                let to = &mut rotated[at * rope..(at + 1) * rope];
                Rotation::InterleavedHalf.rotate(to_rotate, angles(at / heads), to);
            }
            for number in 0..heads {
                // Rows of all tokens of a head lie apart.
                let own = Matrix { elements: &queries[number * wide..], strides: [of_heads, 1] };
                let weights = Matrix::rows(&w_uk[number * head * self.key..], self.key);
                let mut product = allocation::zeros::<f32>(tokens * self.key)?;
                multiply([tokens, head, self.key], own, weights, &mut product, false);
                for (token, row) in product.chunks_exact(self.key).enumerate() {
                    let first = (token * heads + number) * self.key;
                    out[first..first + self.key].copy_from_slice(row);
                }
            }
            let both = self.key + rope;
            let mut keys = allocation::zeros::<f32>(tokens * both)?;
            multiply([tokens, size, both], rows, Matrix::rows(w_dkv, both), &mut keys, false);
            for (token, own) in keys.chunks_exact(both).enumerate() {
                let to = &mut key[token * self.key..(token + 1) * self.key];
                normalize(&own[..self.key], of_key, self.epsilons[1], to);
                to.iter_mut().for_each(|x| *x *= self.factors[1]);
                let to = &mut key_rotated[token * rope..(token + 1) * rope];
                Rotation::InterleavedHalf.rotate(&own[self.key..], angles(token), to);
            }
            Ok(())
        })
    }
}
