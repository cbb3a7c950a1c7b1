//! Models and values of files that are changed at random: each is read, checked, prepared and run with zeros, or refused;
//! none panics, ends the process, takes long or much memory.
//!
//! The seeds are the models of the other tests. Half of the changes are of bytes; the others take the messages apart, so that
//! many models stay readable. `FUZZ_SECONDS` sets how long it goes on, `FUZZ_SEED` the number of the first model, which a
//! failure tells. The models run in a process of their own, which keeps the last one in a file.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use aclnn_onnx::{DType, Model, ValueType, cases};

use crate::child::{self, this_test};
use crate::support::{MODELS, NODES, device, files};

/// The most seconds for one model.
const PATIENCE: u64 = 10;

/// The most bytes of memory, of the host and of the device, which lies in it.
const MEMORY: u64 = 1 << 30;

/// Failures after which no more are looked for.
const FAILURES: usize = 10;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|value| value.parse().expect("a number"))
}

/// Returns the path of the model that the child runs.
fn last_model() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("fuzz.onnx")
}

#[test]
fn changed_models_are_prepared_or_refused() {
    if child::is_child() {
        return change_models(number("FUZZ_SEED").unwrap(), number("FUZZ_SECONDS").unwrap());
    }
    let started = Instant::now();
    let seconds = number("FUZZ_SECONDS").unwrap_or(2);
    let first = number("FUZZ_SEED").unwrap_or_else(|| u64::from(std::process::id()) << 32);
    let (mut seed, mut models, mut ready) = (first, 0, 0);
    let mut failures = Vec::new();
    loop {
        let rest = seconds.saturating_sub(started.elapsed().as_secs());
        if rest == 0 || failures.len() >= FAILURES {
            break;
        }
        let settings = [("FUZZ_SEED", seed.to_string()), ("FUZZ_SECONDS", rest.to_string())];
        let output =
            child::output(child::command(this_test!()).envs(settings).env("CANN_STUBS_MEMORY", "256M"));
        let [printed, told] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
        let count = |word: &str| {
            let line = printed.lines().rev().find_map(|line| line.strip_prefix(word));
            line.and_then(|line| line.trim().parse::<u64>().ok()).unwrap_or(0)
        };
        let reached = count("model ");
        models += reached + 1 - seed;
        ready += printed.lines().filter(|line| *line == "ready").count() as u64;
        if output.status.success() {
            break;
        }
        let kept = last_model().with_file_name(format!("fuzz-{reached}.onnx"));
        fs::copy(last_model(), &kept).unwrap();
        let told = told
            .lines()
            .find(|line| line.contains("panicked") || line.contains("memory") || line.contains("end"));
        let reason = format!("{} {}", output.status, told.unwrap_or_default());
        failures.push(format!("FUZZ_SEED={reached} FUZZ_SECONDS=1, {}: {reason}", kept.display()));
        seed = reached + 1;
    }
    println!("{models} models from seed {first} on, {ready} of them are ready to run");
    assert!(failures.is_empty(), "{} failures of {models} models:\n{}", failures.len(), failures.join("\n"));
    assert!(models < 100 || ready * 50 > models, "only {ready} of {models} models can run");
}

/// Changes models until the time is over.
fn change_models(first: u64, seconds: u64) {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    std::thread::spawn(|| {
        loop {
            let before = NUMBER.load(Relaxed);
            std::thread::sleep(Duration::from_secs(PATIENCE));
            if NUMBER.load(Relaxed) == before {
                eprintln!("the model does not end");
                std::process::abort();
            }
        }
    });
    // Those that the emulator catches count as well.
    std::panic::set_hook(Box::new(|panic| {
        eprintln!("{}", panic.to_string().replace('\n', " "));
        std::process::abort();
    }));
    let limit = libc::rlimit { rlim_cur: MEMORY, rlim_max: MEMORY };
    // SAFETY: a valid place.
    assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_AS, &limit) }, 0);
    let of = |end: &str| -> Vec<&[u8]> {
        let all = [NODES, MODELS].into_iter().flat_map(files);
        let short = all.filter(|(path, content)| path.ends_with(end) && content.len() < 8000);
        short.map(|(_, content)| content).collect()
    };
    let (models, values) = (of("/model.onnx"), of(".pb"));
    let tensor = || Box::new(ValueType::Tensor { dtype: DType::F32, shape: None });
    let types = [ValueType::Sequence(tensor()), ValueType::Optional(tensor())];
    let device = device();
    // The harness has begun a line.
    println!();
    let (end, mut seed) = (Instant::now() + Duration::from_secs(seconds), first);
    loop {
        NUMBER.fetch_add(1, Relaxed);
        let mut random = Random(seed);
        println!("model {seed}");
        if random.below(8) == 0 {
            fs::write(last_model(), changed(&mut random, &values)).unwrap();
            for declared in [None, Some(&types[0]), Some(&types[1])] {
                _ = cases::read_value(&last_model(), declared);
            }
        }
        let file = changed(&mut random, &models);
        fs::write(last_model(), &file).unwrap();
        if let Ok(model) = Model::from_bytes(file) {
            _ = model.survey();
            if let Ok(session) = model.session(&device) {
                println!("ready");
                // Runs it with zeros, if its inputs have fixed shapes.
                _ = session.plan();
            }
        }
        if Instant::now() >= end {
            break;
        }
        seed += 1;
    }
}

/// Numbers by a linear congruence, mixed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// Returns a model with a few changes.
fn changed(random: &mut Random, models: &[&[u8]]) -> Vec<u8> {
    let mut file = random.of::<&[u8]>(models).to_vec();
    if random.below(2) == 0 {
        for _ in 0..=random.below(4) {
            change_bytes(random, &mut file);
        }
        return file;
    }
    let mut message = parsed(&file, 0).unwrap_or_default();
    let other = parsed(random.of::<&[u8]>(models), 0).unwrap_or_default();
    for _ in 0..=random.below(4) {
        change_message(random, &mut message, &other);
    }
    let mut file = Vec::new();
    write(&message, &mut file);
    file
}

fn change_bytes(random: &mut Random, file: &mut Vec<u8>) {
    if file.is_empty() {
        return file.push(random.next() as u8);
    }
    let at = random.below(file.len());
    match random.below(6) {
        0 => file[at] ^= 1 << random.below(8),
        1 => file[at] = *random.of(&[0, 1, 0x7F, 0x80, 0xFF]),
        2 => file.truncate(at),
        3 => file.insert(at, random.next() as u8),
        4 => drop(file.drain(at..(at + 1 + random.below(8)).min(file.len()))),
        _ => {
            let part = file[at..(at + 1 + random.below(16)).min(file.len())].to_vec();
            let to = random.below(file.len());
            file.splice(to..to, part);
        }
    }
}

/// A field of a message.
#[derive(Clone)]
struct Field {
    number: u64,
    content: Content,
}

#[derive(Clone)]
enum Content {
    Varint(u64),
    Fixed([u8; 8]),
    Short([u8; 4]),
    Bytes(Vec<u8>),
    Message(Vec<Field>),
}

/// How deep messages are taken apart.
const DEPTH: usize = 12;

/// Takes a message apart. What can be read as a message is one.
fn parsed(mut bytes: &[u8], depth: usize) -> Option<Vec<Field>> {
    let mut fields = Vec::new();
    while !bytes.is_empty() {
        let key = varint(&mut bytes)?;
        let content = match key & 7 {
            0 => Content::Varint(varint(&mut bytes)?),
            1 => Content::Fixed(taken(&mut bytes, 8)?.try_into().ok()?),
            2 => {
                let length = usize::try_from(varint(&mut bytes)?).ok()?;
                let inner = taken(&mut bytes, length)?;
                let message =
                    if inner.is_empty() || depth == DEPTH { None } else { parsed(inner, depth + 1) };
                message.map_or_else(|| Content::Bytes(inner.to_vec()), Content::Message)
            }
            5 => Content::Short(taken(&mut bytes, 4)?.try_into().ok()?),
            _ => return None,
        };
        fields.push(Field { number: Some(key >> 3).filter(|number| (1..100).contains(number))?, content });
    }
    Some(fields)
}

fn taken<'a>(bytes: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (first, rest) = bytes.split_at_checked(count)?;
    *bytes = rest;
    Some(first)
}

fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let byte = taken(bytes, 1)?[0];
        number |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

fn write(fields: &[Field], out: &mut Vec<u8>) {
    for Field { number, content } in fields {
        let key = |kind: u64| crate::support::format::varint(number << 3 | kind);
        match content {
            Content::Varint(value) => out.extend([key(0), crate::support::format::varint(*value)].concat()),
            Content::Fixed(value) => out.extend([&key(1)[..], value].concat()),
            Content::Short(value) => out.extend([&key(5)[..], value].concat()),
            Content::Bytes(bytes) => out.extend(crate::support::format::bytes(*number, bytes)),
            Content::Message(fields) => {
                let mut inner = Vec::new();
                write(fields, &mut inner);
                out.extend(crate::support::format::bytes(*number, inner));
            }
        }
    }
}

/// Sizes, axes, types, versions, and what is too large for them.
const NUMBERS: &[u64] = &[
    0,
    1,
    2,
    3,
    4,
    5,
    7,
    8,
    9,
    10,
    11,
    13,
    16,
    17,
    18,
    20,
    21,
    22,
    23,
    64,
    1000,
    1 << 16,
    1 << 20,
    1 << 31,
    1 << 32,
    1 << 40,
    1 << 62,
    (1 << 63) - 1,
    1 << 63,
    u64::MAX,
    u64::MAX - 1,
    u64::MAX - 7,
];

/// Changes a field somewhere in a message; some changes take a field of another one.
fn change_message(random: &mut Random, fields: &mut Vec<Field>, other: &[Field]) {
    if fields.is_empty() {
        return fields.extend(other.first().cloned());
    }
    let at = random.below(fields.len());
    // Most fields that matter lie deep.
    if random.below(5) > 0
        && let Content::Message(inner) = &mut fields[at].content
    {
        let own = inner.clone();
        let same = |other: &&Field| other.number == fields[at].number;
        let other = match other.iter().find(same).map(|field| &field.content) {
            Some(Content::Message(other)) if random.below(2) == 0 => other,
            _ => &own,
        };
        let Content::Message(inner) = &mut fields[at].content else { return };
        return change_message(random, inner, other);
    }
    match random.below(6) {
        0 => drop(fields.remove(at)),
        1 => fields.push(fields[at].clone()),
        2 => {
            let to = random.below(fields.len());
            fields.swap(at, to);
        }
        3 if !other.is_empty() => {
            let field = random.of(other).clone();
            let same = fields.iter().position(|own| own.number == field.number);
            match same {
                Some(same) if random.below(2) == 0 => fields[same] = field,
                _ => fields.insert(at, field),
            }
        }
        4 => {
            let to = random.below(fields.len());
            fields[at].content = fields[to].content.clone();
        }
        _ => change_content(random, &mut fields[at].content),
    }
}

fn change_content(random: &mut Random, content: &mut Content) {
    match content {
        Content::Varint(value) => {
            *value = match random.below(4) {
                0 => value.wrapping_add(1),
                1 => value.wrapping_sub(1),
                _ => *random.of(NUMBERS),
            }
        }
        Content::Fixed(bytes) => *bytes = random.of(NUMBERS).to_le_bytes(),
        Content::Short(bytes) => {
            let floats = [0.0, -0.0, 1.0, -1.0, 0.5, 1e30, 1e-40, f32::NAN, f32::INFINITY, -f32::INFINITY];
            *bytes = random.of(&floats).to_le_bytes();
        }
        Content::Bytes(bytes) if bytes.len() % 8 == 0 && !bytes.is_empty() && random.below(2) == 0 => {
            let at = random.below(bytes.len() / 8) * 8;
            bytes[at..at + 8].copy_from_slice(&random.of(NUMBERS).to_le_bytes());
        }
        Content::Bytes(bytes) => change_bytes(random, bytes),
        Content::Message(fields) => fields.truncate(random.below(fields.len())),
    }
}

/// A message that is taken apart and written again has the same bytes.
#[test]
fn messages_are_taken_apart_and_joined() {
    let (mut kinds, mut count) = (BTreeSet::new(), 0);
    for (path, content) in
        [NODES, MODELS].into_iter().flat_map(files).filter(|(path, _)| path.ends_with(".onnx"))
    {
        let message = parsed(content, 0).unwrap();
        kinds.extend(message.iter().map(|field| field.number));
        let mut written = Vec::new();
        write(&message, &mut written);
        assert_eq!(written, content, "{path}");
        count += 1;
    }
    // Among them the graph, the operator sets and functions.
    assert!(
        count > 800 && [1, 7, 8].iter().all(|number| kinds.contains(number)),
        "{count} models of {kinds:?}"
    );
}
