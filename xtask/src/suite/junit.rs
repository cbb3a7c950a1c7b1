//! The results as JUnit writes them, which test servers read.

use super::results::{Outcome, Program, Run};
use super::xml::{self, Case, Suite};

/// Returns the report of runs on one or several backends.
pub(super) fn report(runs: &[Run]) -> String {
    let suites: Vec<Suite> =
        runs.iter().flat_map(|run| run.programs.iter().map(|program| suite(run, program))).collect();
    let seconds: f32 = runs.iter().map(Run::seconds).sum();
    xml::document("aclnn", seconds.into(), &suites)
}

fn suite(run: &Run, program: &Program) -> Suite {
    let outcome = |outcome: &Outcome| match outcome {
        Outcome::Passed => xml::Outcome::Passed,
        Outcome::Skipped(why) => xml::Outcome::Skipped(why.clone()),
        Outcome::Failed(output) => {
            let message = output.lines().next().unwrap_or_default().to_owned();
            xml::Outcome::Failed { message, text: output.clone() }
        }
    };
    let cases = program.tests.iter().map(|test| Case {
        class: program.name.clone(),
        name: test.name.clone(),
        outcome: outcome(&test.outcome),
    });
    Suite {
        name: format!("{}: {}", run.name, program.name),
        properties: run.serves.iter().map(|line| ("serves", line.clone())).collect(),
        cases: cases.collect(),
        seconds: Some(program.seconds.into()),
        written: program.reports.join("\n"),
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
        let xml = report(&[run]);

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
