//! The translations of the emulator's messages, against the sentences in its source.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};

/// The source of messages.
const FOLDERS: [&str; 3] = ["cann-stubs/src", "kernels/src", "numerics/src/layout"];

/// How many sentences of the source have a translation, of every hundred. All have one; the room is for those that wait.
const FLOOR: usize = 98;

/// Texts with blanks that no message is made of, or that a line of the file holds together with what stands around them.
const OTHERS: &[&str] = &[
    // Pieces of a sentence that a line has as a whole.
    " from {}",
    " of {}",
    " of {} bytes",
    " of {} {}",
    ", root {}",
    ", which waits for one on thread ",
    ", {}",
    "; made here:\n{}",
    "; meanwhile {}",
    "CANN_STUBS_DEFECT: {}",
    "CANN_STUBS_FAIL: {}",
    "address {} ({} bytes) reaches past the end of {} host memory of {} bytes at {}; {} bytes are left there",
    "axis {} does not exist: the tensor has {} {}",
    "cann-stubs: {}",
    "cann-stubs: {}: {}: {}",
    "cann-stubs: {}: {}: {} [code {}]",
    "{} is {} of {} on stream {}, which may still run: synchronise the stream or an event behind the work first; the \
     memory {}",
    "{} {} {} where {} on stream {} {} {}, and nothing orders the two; {}",
    "{} {} {} {} rank {}",
    // Said by a handler of signals, which looks nothing up.
    ", before it is freed\n",
    ". The host cannot touch device memory: copy it with aclrtMemcpy, to host memory for reading and from host memory for \
     writing",
    "an address of device {} where nothing is allocated",
    "byte {} of memory at {} on device {} that was freed",
    "byte {} of the allocation of {} bytes at {} on device {}",
    "cann-stubs: SIGSEGV: a copy touched {}, byte {} of the {} bytes of host memory at {} that it was given. The memory \
     must be there until the copy is done; that of a copy on a stream, until the stream is synchronised\n",
    "cann-stubs: SIGSEGV: the host touched {}, ",
    "in memory of device {}",
    "in virtual memory of device {}",
    "{} bytes before the allocation at {} on device {}, where `free` and `delete` look. They end memory of the host alone: \
     end device memory with aclrtFree",
    // Operands, lists and ranges, which read the same in each language.
    "(no object)",
    "= [{}]",
    "= {}",
    "= {} scalars",
    "[{}, +{} bytes)",
    "dtype {}",
    "inputs {}, outputs {}, attributes {}",
    "{} ({})",
    "{} or {}",
    "{} scalar",
    "{} with strides {}",
    "{} {}",
    // Names in a trace, and of what runs.
    ",\"rank\":\"{} of {}\"",
    "AdamW in blocks",
    "add adapters",
    "add and normalise rows",
    "add products of groups",
    "advance tokens",
    "attention to points",
    "balance rows and columns",
    "blend images",
    "cann-stubs kernel",
    "cann-stubs worker",
    "cell gradient",
    "choose probable elements",
    "code exponents",
    "compare boxes",
    "convolution at moved places",
    "decode exponents",
    "device {}",
    "exponentials of logits",
    "feed-forward network",
    "gather statistics",
    "gradient descent",
    "gradients of activations",
    "gradients of attention",
    "gradients of batches",
    "gradients of channels",
    "gradients of groups",
    "gradients of points",
    "gradients of prelu",
    "gradients of regions",
    "gradients of rows",
    "gradients of scores",
    "gradients of segments",
    "gradients of softmax",
    "add rows",
    "cut weights",
    "gradients of units",
    "heads with a bias",
    "join rows",
    "join the moments of parts",
    "limit norms",
    "look for silent faults",
    "look for what is not finite",
    "map axes",
    "map the grid",
    "masked softmax",
    "moments of channels",
    "multiply and add",
    "multiply groups",
    "multiply matrices",
    "norm of a sum",
    "normalise and quantise rows",
    "network gradient",
    "normalise channels",
    "normalise groups",
    "normalise rows",
    "pack signs",
    "places of segments",
    "note numbers of rows",
    "order rows by experts",
    "pack rows for ranks",
    "pack rows of experts",
    "planted defect",
    "pool regions",
    "product with gelu",
    "products of transposed matrices",
    "put back",
    "quantise and multiply",
    "quantise groups",
    "quantise matrices",
    "random bits",
    "random slopes",
    "rotate and quantise rows",
    "rotate back",
    "sample back",
    "sample probable elements",
    "scale and shift",
    "scale what a mask keeps",
    "softmax of windows",
    "sort rows",
    "sort with numbers",
    "stream {}",
    "sum channels",
    "sum columns",
    "sum gradients of batches",
    "sum gradients of channels",
    "sum gradients of columns",
    "sum gradients of images",
    "sum rows",
    "sum up rows of experts",
    "sums of channels",
    "sums of experts",
    "sums of groups",
    "sums of repeated slices",
    "sums of segments",
    "the embedded emulator",
    "thread {}",
    "units of experts",
    "unpack signs",
    "update the scale",
    // Marks of shared memory, types, assembly, lists of functions, and the line of a program's own log.
    "emulated event",
    "emulated memory {}",
    "{} {} {}",
    "bool u8",
    "f32 f16",
    "f32 f16 bf16",
    "f32 i32",
    "float f64",
    "i32 i64",
    "i64 i32 u8",
    "no number of",
    " {}, {}, {}",
    "refuses: {}",
    "stored only",
    "{} {}\n",
    "[{}] {}:{} {}: {}",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the template of a text of the source: holes without names, of which no two adjoin.
fn template(text: &str) -> String {
    let mut template = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        template.push_str(before);
        rest = after.split_once('}').unwrap_or_else(|| panic!("{text}: a brace is not closed")).1;
        if !template.ends_with("{}") {
            template.push_str("{}");
        }
    }
    template + rest
}

/// Collects the texts with blanks, but for those in Chinese, and those of attributes, tests, and defects of the program.
fn collect(tokens: TokenStream, texts: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        at += 1;
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '#' => {
                let is_inner =
                    matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == '!');
                at += usize::from(is_inner);
                if let Some(TokenTree::Group(attribute)) = tokens.get(at) {
                    at += 1;
                    if attribute.stream().to_string().replace(' ', "") == "cfg(test)" {
                        // The item ends with its body, or with a semicolon.
                        let is_end = |token: &TokenTree| match token {
                            TokenTree::Group(group) => group.delimiter() == proc_macro2::Delimiter::Brace,
                            TokenTree::Punct(punct) => punct.as_char() == ';',
                            _ => false,
                        };
                        at += tokens[at..].iter().position(is_end).map_or(0, |end| end + 1);
                    }
                }
            }
            TokenTree::Ident(name) => {
                let name = name.to_string();
                if name == "expect" || name == "unreachable" || name == "panic" || name.contains("assert") {
                    let is_call =
                        matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == '!');
                    at += usize::from(is_call);
                    at += usize::from(matches!(tokens.get(at), Some(TokenTree::Group(_))));
                }
            }
            TokenTree::Group(group) => collect(group.stream(), texts),
            TokenTree::Literal(literal) => {
                if let Ok(text) = syn::parse_str::<syn::LitStr>(&literal.to_string())
                    && text.value().trim().contains(' ')
                    && !text.value().chars().any(|letter| ('一'..='龥').contains(&letter))
                {
                    texts.insert(text.value());
                }
            }
            TokenTree::Punct(_) => {}
        }
    }
}

fn walk(folder: &Path, found: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            walk(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") && !path.ends_with("tests.rs") {
            let source = fs::read_to_string(&path).unwrap();
            let mut texts = BTreeSet::new();
            collect(source.parse().unwrap(), &mut texts);
            let file = path.strip_prefix(root()).unwrap().display().to_string();
            found.extend(texts.iter().map(|text| (template(text), file.clone())));
        }
    }
}

/// The sentences of the source, each with a file that has it.
fn sentences() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    FOLDERS.iter().for_each(|folder| walk(&root().join(folder), &mut found));
    found
}

fn file() -> &'static str {
    fs::read_to_string(root().join("cann-stubs/src/messages.zh.tsv")).unwrap().leak()
}

fn translated() -> Vec<&'static str> {
    file().lines().filter_map(|line| line.split_once('\t')).map(|(template, _)| template).collect()
}

#[test]
fn messages_of_the_emulator_are_translated() {
    let known: BTreeSet<&str> = translated().into_iter().collect();
    let mut sentences = sentences();
    for other in OTHERS {
        assert!(sentences.remove(*other).is_some(), "no source has it any more: {other}");
    }
    let all = sentences.len();
    sentences.retain(|sentence, _| !known.contains(sentence.as_str()));
    let percent = (all - sentences.len()) * 100 / all;
    println!("{} of {all} messages are translated", all - sentences.len());
    let missing: Vec<String> =
        sentences.iter().map(|(sentence, file)| format!("{file}: {sentence}\n")).collect();
    assert!(
        percent >= FLOOR && all > 1000,
        "cann-stubs/src/messages.zh.tsv has {percent} of every hundred messages. A new one gets a line there, or one in \
         OTHERS of this test if it is no message:\n{}",
        missing.concat()
    );
}

/// A sentence that was reworded leaves its translation behind.
#[test]
fn translations_are_of_sentences_that_exist() {
    let sentences = sentences();
    let (_, own) = file().split_once("\n\n").unwrap();
    let own = own.split("\n# written out").next().unwrap();
    let lines = own.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let gone: Vec<&str> = lines
        .map(|line| line.split('\t').next().unwrap())
        .filter(|line| !sentences.contains_key(*line))
        .collect();
    assert!(gone.is_empty(), "no source has these sentences any more: {gone:#?}");
}

#[test]
fn translations_have_the_holes_of_their_sentences_and_no_two_are_of_one_sentence() {
    assert_eq!(aclnn_sys::language::faults(file()), "");
    let mut all = translated();
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count, "a sentence stands there twice");
}

/// Returns a template with `h1`, `h2` and so on in its holes.
fn filled(template: &str) -> String {
    let mut text = String::new();
    let mut number = 0;
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (place, after) = after.split_once('}').unwrap();
        number += 1;
        text += before;
        text += &format!("h{}", place.parse().unwrap_or(number));
        rest = after;
    }
    text + rest
}

#[test]
fn each_message_is_recognised_as_the_sentence_that_it_is() {
    let translations = aclnn_sys::language::Translations::parse(file());
    let lines = file().lines().filter_map(|line| line.split_once('\t'));
    let wrong: Vec<String> = lines
        .map(|(template, translated)| (filled(template), filled(translated)))
        .filter(|(message, expected)| translations.translate(message) != *expected)
        .map(|(message, _)| format!("{message} → {}", translations.translate(&message)))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
