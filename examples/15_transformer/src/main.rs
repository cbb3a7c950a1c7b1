//! A decoder of a transformer continues a poem: embedding, layers of attention and of a gated network, and greedy sampling.
//!
//! `model.py` trained it with PyTorch, and wrote the weights and what PyTorch computes with them.

mod decoder;

use std::error::Error;

use aclnn::interop::safetensors;
use aclnn::{Device, Tensor, ops};

use decoder::Decoder;

const PROMPT: &str = "Tyger Tyger, ";
const FOLLOWING: usize = 100;

/// How far logits of about 20 may be off PyTorch's: sums of f32 are added up in another order there.
const TOLERANCE: f32 = 1e-3;

fn main() -> Result<(), Box<dyn Error>> {
    let device = Device::open(0)?;
    let weights = safetensors::load(&device, include_bytes!("../model.safetensors"))?;
    let golden = safetensors::load(&device, include_bytes!("../golden.safetensors"))?;
    let decoder = Decoder::new(&weights)?;

    // A token is the number of a character in the vocabulary.
    let vocabulary = weights["vocabulary"].to_vec::<u8>()?;
    let number = |letter: u8| vocabulary.iter().position(|one| *one == letter).map(|place| place as i64);
    let prompt: Vec<i64> =
        PROMPT.bytes().map(number).collect::<Option<_>>().ok_or("a character is not known")?;
    let mut tokens = Tensor::from_slice(&device, &prompt, [prompt.len()])?;

    let logits = decoder.logits(&tokens)?;
    let difference = (&logits - &golden["logits"])?.abs()?.max(..)?.item::<f32>()?;
    println!("{:?} logits, as PyTorch's: {}", logits.dims(), difference < TOLERANCE);

    // Each step appends the character that is most likely. Tokens stay on the device, so that nothing waits for a step.
    for _ in 0..FOLLOWING {
        let next = decoder.logits(&tokens)?.select(0, -1)?.argmax(..)?;
        tokens = ops::cat(&[&tokens, &next.unsqueeze(0)?], 0).run()?;
    }
    let text: Vec<u8> = tokens.to_vec::<i64>()?.iter().map(|token| vocabulary[*token as usize]).collect();
    println!("{}", String::from_utf8(text)?);
    println!(
        "{} tokens, as PyTorch's: {}",
        tokens.numel(),
        tokens.to_vec::<i64>()? == golden["tokens"].to_vec::<i64>()?
    );
    Ok(())
}

// Output:
// [13, 34] logits, as PyTorch's: true
// Tyger Tyger, burning bright,
// In the forests of the night;
// What immortal hand or eye,
// Could frame thy fearful symm
// 113 tokens, as PyTorch's: true
