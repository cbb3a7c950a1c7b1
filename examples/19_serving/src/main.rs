//! A small server of a language model: sequences share the blocks of one cache, weights have eight bits, and each step computes
//! whole prompts of new requests together with single tokens of running ones.
//!
//! `cargo run --release -p example-19-serving -- speed.svg` also measures how tokens per second grow with the sequences that are
//! served at once, and draws it.

mod chart;
mod model;
mod server;

use std::error::Error;
use std::time::Instant;

use aclnn::Device;
use aclnn::interop::safetensors;

use model::{CONTEXT, Decoder};
use server::{Request, serve};

/// Blocks of the cache, and the most requests of a step. The requests need 29 blocks together, so that some wait.
const BLOCKS: usize = 22;
const BATCH: usize = 4;

const PROMPTS: [(&str, usize); 6] = [
    ("Tyger Tyger, ", 60),
    ("In the forests ", 40),
    ("What immortal hand or eye,", 50),
    ("On what wings dare he aspire?", 70),
    ("And what shoulder, ", 30),
    ("Burnt the fire ", 45),
];

fn main() -> Result<(), Box<dyn Error>> {
    let device = Device::open(0)?;
    // The weights that example 15 explains.
    let weights = safetensors::load(&device, include_bytes!("../../15_transformer/model.safetensors"))?;
    let decoder = Decoder::new(&weights)?;
    let vocabulary = weights["vocabulary"].to_vec::<u8>()?;
    let number = |letter: u8| vocabulary.iter().position(|one| *one == letter).map(|place| place as i64);
    let request = |(prompt, following): (&str, usize)| {
        let prompt: Option<Vec<_>> = prompt.bytes().map(number).collect();
        prompt.map(|prompt| Request { prompt, following })
    };
    let requests: Vec<Request> =
        PROMPTS.into_iter().map(request).collect::<Option<_>>().ok_or("a character is not known")?;

    let served = serve(&decoder, &requests, BATCH, BLOCKS)?;
    println!(
        "{} requests in {} steps: at most {} at once, in at most {} of {BLOCKS} blocks",
        requests.len(),
        served.steps,
        served.most_running,
        served.most_blocks
    );
    let mut are_same = true;
    for (request, tokens) in requests.iter().zip(&served.texts) {
        // The plain decoder computes a whole sequence at once, and knows no other.
        let plain = decoder.plain(tokens)?;
        let first = request.prompt.len();
        are_same &= tokens[first..] == plain[first - 1..tokens.len() - 1];
        let text: String = tokens.iter().map(|token| char::from(vocabulary[*token as usize])).collect();
        println!("- {}", text.trim_end().replace('\n', " / "));
    }
    println!("the same tokens as the plain decoder's: {are_same}");

    if let Some(path) = std::env::args().nth(1) {
        let mut rates = Vec::new();
        for batch in [1, 2, 4, 8, 16, 32] {
            let many: Vec<Request> = requests.iter().cycle().take(32).cloned().collect();
            let begin = Instant::now();
            let served = serve(&decoder, &many, batch, batch * CONTEXT / 16)?;
            let tokens: usize = many.iter().map(|request| request.following).sum();
            let rate = tokens as f64 / begin.elapsed().as_secs_f64();
            eprintln!("{batch} at once: {rate:.0} tokens per second in {} steps", served.steps);
            rates.push((batch, rate));
        }
        std::fs::write(&path, chart::svg(&rates))?;
    }
    Ok(())
}

// Output:
// 6 requests in 95 steps: at most 4 at once, in at most 18 of 22 blocks
// - Tyger Tyger, burning bright, / In the forests of the night; / What immortal h
// - In the forests of the night; / What immortal hand or eye,
// - What immortal hand or eye, / Could frame thy fearful symmetry? /  / In what distan
// - On what wings dare he aspire? / What the hand, dare seize the fire? /  / And what shoulder, & what art, / C
// - And what shoulder, & what art, / Could twist the si
// - Burnt the fire of thine eyes? / On what wings dare he aspire?
// the same tokens as the plain decoder's: true
