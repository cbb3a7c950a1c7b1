//! The results as JUnit writes them, which test servers read.

use std::fmt::{self, Write};

use super::results::{Counts, Outcome, Program, Run};

/// Returns the report of runs on one or several backends.
pub(super) fn report(runs: &[Run]) -> Result<String, fmt::Error> {
    let programs = || runs.iter().flat_map(|run| &run.programs);
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    write_tag(&mut xml, "testsuites", "aclnn", Counts::of(programs()), programs())?;
    for run in runs {
        for program in &run.programs {
            let name = format!("{}: {}", run.name, program.name);
            write_tag(&mut xml, "testsuite", &name, Counts::of([program]), [program])?;
            xml += "<properties>\n";
            for line in &run.serves {
                writeln!(xml, "<property name=\"serves\" value=\"{}\"/>", Escaped(line))?;
            }
            xml += "</properties>\n";
            for test in &program.tests {
                let (name, class) = (Escaped(&test.name), Escaped(&program.name));
                write!(xml, "<testcase name=\"{name}\" classname=\"{class}\"")?;
                match &test.outcome {
                    Outcome::Passed => xml += "/>\n",
                    Outcome::Skipped(why) => {
                        writeln!(xml, "><skipped message=\"{}\"/></testcase>", Escaped(why))?;
                    }
                    Outcome::Failed(output) => {
                        let first = output.lines().next().unwrap_or_default();
                        let (first, output) = (Escaped(first), Escaped(output));
                        writeln!(xml, "><failure message=\"{first}\">{output}</failure></testcase>")?;
                    }
                }
            }
            if !program.reports.is_empty() {
                let reports = program.reports.join("\n");
                writeln!(xml, "<system-err>{}</system-err>", Escaped(&reports))?;
            }
            xml += "</testsuite>\n";
        }
    }
    xml += "</testsuites>\n";
    Ok(xml)
}

fn write_tag<'a>(
    xml: &mut String,
    tag: &str,
    name: &str,
    counts: Counts,
    programs: impl IntoIterator<Item = &'a Program>,
) -> fmt::Result {
    let seconds: f32 = programs.into_iter().map(|program| program.seconds).sum();
    let (tests, Counts { failed, skipped, .. }) = (counts.tests(), counts);
    write!(xml, "<{tag} name=\"{}\" tests=\"{tests}\" failures=\"{failed}\" ", Escaped(name))?;
    writeln!(xml, "errors=\"0\" skipped=\"{skipped}\" time=\"{seconds:.3}\">")
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

#[cfg(test)]
mod tests {
    use super::super::results::Test;
    use super::*;

    /// The expectations are read by a parser of XML.
    #[test]
    fn the_report_is_well_formed_and_holds_each_test_with_its_output() {
        let test = |name: &str, outcome| Test { name: name.to_owned(), outcome };
        let output = "left: \"<a & b>\"\n\u{1b}[31mred\u{1b}[0m\t'done' ]]> \u{0}\u{FFFF}中文";
        let tests = vec![
            test("order::first", Outcome::Passed),
            test("src/a.rs - Vec<T>::\"b\" (line 3)", Outcome::Skipped("one device & no more".to_owned())),
            test("sums", Outcome::Failed(output.to_owned())),
        ];
        let reports = vec!["cann-stubs: misuse: <handle>".to_owned()];
        let program = Program { name: "shared".to_owned(), tests, reports, seconds: 1.25 };
        let quiet =
            Program { name: "serial".to_owned(), tests: Vec::new(), reports: Vec::new(), seconds: 0.5 };
        let serves = vec!["CANN 9.1.0, \"Ascend910B2\"".to_owned(), "driver 25.0 <x>".to_owned()];
        let programs = vec![program, quiet];
        let run = Run { name: "CANN".to_owned(), serves, programs };
        let xml = report(&[run]).unwrap();

        let document = roxmltree::Document::parse(&xml).unwrap_or_else(|error| panic!("{error}: {xml}"));
        let all = |tag: &'static str| document.descendants().filter(move |node| node.has_tag_name(tag));
        let root = document.root_element();
        let count = |name| root.attribute(name);
        assert_eq!([count("tests"), count("failures"), count("skipped")], [Some("3"), Some("1"), Some("1")]);
        assert_eq!(count("time"), Some("1.750"));
        let suites: Vec<_> = all("testsuite").filter_map(|suite| suite.attribute("name")).collect();
        assert_eq!(suites, ["CANN: shared", "CANN: serial"]);
        let serves: Vec<_> = all("property").filter_map(|property| property.attribute("value")).collect();
        assert_eq!(serves[..2], ["CANN 9.1.0, \"Ascend910B2\"", "driver 25.0 <x>"]);
        let names: Vec<_> = all("testcase").filter_map(|case| case.attribute("name")).collect();
        assert_eq!(names, ["order::first", "src/a.rs - Vec<T>::\"b\" (line 3)", "sums"]);
        let why = all("skipped").next().and_then(|skipped| skipped.attribute("message"));
        assert_eq!(why, Some("one device & no more"));
        let failure = all("failure").next().unwrap();
        let without_controls = output.replace(['\u{1b}', '\u{0}', '\u{FFFF}'], "\u{FFFD}");
        assert_eq!(failure.text(), Some(without_controls.as_str()));
        assert_eq!(failure.attribute("message"), Some("left: \"<a & b>\""));
        assert_eq!(
            all("system-err").next().and_then(|node| node.text()),
            Some("cann-stubs: misuse: <handle>")
        );
    }
}
