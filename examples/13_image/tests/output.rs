//! The example prints what is written at its end, and writes an image of that size.

use std::error::Error;
use std::fs::File;
use std::io::BufReader;
use std::process::Command;

#[test]
fn the_example_prints_what_it_says_and_writes_an_image() -> Result<(), Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("image.png");
    let run = Command::new(env!("CARGO_BIN_EXE_example-13-image")).arg(&path).output()?;
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let (_, expected) =
        include_str!("../src/main.rs").split_once("// Output:\n").ok_or("no output is written")?;
    let expected: String =
        expected.lines().map(|line| line.trim_start_matches("// ").to_owned() + "\n").collect();
    let printed = String::from_utf8(run.stdout)?.replace(&path.display().to_string(), "image.png");
    assert_eq!(printed, expected);

    let mut image = png::Decoder::new(BufReader::new(File::open(&path)?)).read_info()?;
    let mut bytes = vec![0; image.output_buffer_size().ok_or("too large")?];
    let frame = image.next_frame(&mut bytes)?;
    assert_eq!((frame.width, frame.height), (304, 192));
    // Pixels that are not bright are grey, and not all are.
    let pixels = bytes.as_chunks::<3>().0;
    let grey = pixels
        .iter()
        .filter(|[red, green, blue]| red.abs_diff(*green) < 9 && green.abs_diff(*blue) < 9)
        .count();
    assert!((1000..pixels.len() - 1000).contains(&grey), "{grey} of {}", pixels.len());
    Ok(())
}
