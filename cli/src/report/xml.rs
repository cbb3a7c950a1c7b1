//! JUnit XML, which test servers read: suites of test cases. The developer command `xtask suite` compiles this file, too.
//!
//! The crate `quick-junit` writes the same, and brings thirteen packages to a command that users build for the drop-in
//! libraries out of two.

use std::fmt::{self, Write as _};

/// One suite.
pub(crate) struct Suite {
    pub(crate) name: String,
    /// Names and values.
    pub(crate) properties: Vec<(&'static str, String)>,
    pub(crate) cases: Vec<Case>,
    /// How long it took, where that is known.
    pub(crate) seconds: Option<f64>,
    /// What it wrote to standard error.
    pub(crate) written: String,
}

/// One test case.
pub(crate) struct Case {
    pub(crate) class: String,
    pub(crate) name: String,
    pub(crate) outcome: Outcome,
}

/// How a test case ended.
pub(crate) enum Outcome {
    Passed,
    /// Why it does not apply.
    Skipped(String),
    Failed {
        message: String,
        text: String,
    },
}

/// Returns the document. Nothing that is written to a text fails.
pub(crate) fn document(name: &str, seconds: f64, suites: &[Suite]) -> String {
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let cases = || suites.iter().flat_map(|suite| &suite.cases);
    open(&mut xml, "testsuites", name, cases(), Some(seconds));
    for suite in suites {
        open(&mut xml, "testsuite", &suite.name, suite.cases.iter(), suite.seconds);
        if !suite.properties.is_empty() {
            xml += "<properties>\n";
            for (name, value) in &suite.properties {
                _ = writeln!(xml, "<property name=\"{}\" value=\"{}\"/>", Escaped(name), Escaped(value));
            }
            xml += "</properties>\n";
        }
        for case in &suite.cases {
            let (name, class) = (Escaped(&case.name), Escaped(&case.class));
            _ = write!(xml, "<testcase name=\"{name}\" classname=\"{class}\"");
            _ = match &case.outcome {
                Outcome::Passed => writeln!(xml, "/>"),
                Outcome::Skipped(why) => {
                    writeln!(xml, "><skipped message=\"{}\"/></testcase>", Escaped(why))
                }
                Outcome::Failed { message, text } => {
                    let (message, text) = (Escaped(message), Escaped(text));
                    writeln!(xml, "><failure message=\"{message}\">{text}</failure></testcase>")
                }
            };
        }
        if !suite.written.is_empty() {
            _ = writeln!(xml, "<system-err>{}</system-err>", Escaped(&suite.written));
        }
        xml += "</testsuite>\n";
    }
    xml += "</testsuites>\n";
    xml
}

/// Writes the tag before some cases, with how many there are.
fn open<'a>(
    xml: &mut String,
    tag: &str,
    name: &str,
    cases: impl Iterator<Item = &'a Case>,
    seconds: Option<f64>,
) {
    let (mut tests, mut failed, mut skipped) = (0, 0, 0);
    for case in cases {
        tests += 1;
        failed += usize::from(matches!(case.outcome, Outcome::Failed { .. }));
        skipped += usize::from(matches!(case.outcome, Outcome::Skipped(_)));
    }
    _ = write!(xml, "<{tag} name=\"{}\" tests=\"{tests}\" failures=\"{failed}\"", Escaped(name));
    _ = write!(xml, " errors=\"0\" skipped=\"{skipped}\"");
    if let Some(seconds) = seconds {
        _ = write!(xml, " time=\"{seconds:.3}\"");
    }
    xml.push_str(">\n");
}

/// A text inside XML, whatever is in it.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for letter in self.0.chars() {
            match letter {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                // As references, since in an attribute they would be read as spaces.
                '\t' | '\n' => write!(f, "&#{};", letter as u32)?,
                // XML has no way to write these.
                '\0'..=' ' | '\u{FFFE}' | '\u{FFFF}' if letter != ' ' => f.write_char('\u{FFFD}')?,
                _ => f.write_char(letter)?,
            }
        }
        Ok(())
    }
}
