//! The example prints what is written at its end: among it, that scores are those of PyTorch. Its image has the digits
//! above, and below in colours.

use std::error::Error;
use std::fs::File;
use std::io::BufReader;
use std::process::Command;

#[test]
fn the_example_reads_digits_and_shows_where_it_looks() -> Result<(), Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("digits.png");
    let run = Command::new(env!("CARGO_BIN_EXE_example-17-cnn")).arg(&path).output()?;
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let (_, expected) =
        include_str!("../src/main.rs").split_once("// Output:\n").ok_or("no output is written")?;
    let expected: String = expected
        .lines()
        .map(|line| line.strip_prefix("// ").or(line.strip_prefix("//")).unwrap_or(line).to_owned() + "\n")
        .collect();
    let printed = String::from_utf8(run.stdout)?.replace(&path.display().to_string(), "digits.png");
    assert_eq!(printed, expected);

    let mut image = png::Decoder::new(BufReader::new(File::open(&path)?)).read_info()?;
    let mut bytes = vec![0; image.output_buffer_size().ok_or("too large")?];
    let frame = image.next_frame(&mut bytes)?;
    assert_eq!((frame.width, frame.height), (1200, 240));
    // The upper half is a digit beside the other, white on dark; the lower half has the colours of what speaks for it.
    let yellow = |half: &[u8]| {
        half.as_chunks::<3>().0.iter().filter(|[red, _, blue]| red.saturating_sub(*blue) > 80).count()
    };
    let (upper, lower) = bytes.split_at(bytes.len() / 2);
    assert_eq!(yellow(upper), 0);
    assert!((2000..100_000).contains(&yellow(lower)), "{}", yellow(lower));
    Ok(())
}
